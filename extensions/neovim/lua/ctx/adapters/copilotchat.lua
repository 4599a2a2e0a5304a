-- Copyright The ctx-lsp authors. MIT licence.

--- CopilotChat.nvim: the adapter follows its chat window. The plugin has no events of its own, so the adapter listens
--- to the buffer, and reads the conversation from `require('CopilotChat').chat` when the buffer has been quiet for a
--- while.
---
--- The chat contains the messages, the model, the model's largest input, and one number after each request: prompt and
--- reply together. Everything else before the messages comes from a function of the plugin that the adapter also calls:
--- the plugin's own instructions, and the files of the workspace that its options name.
local api = vim.api
local safely = require('ctx.adapters').safely

local NAME = 'copilotchat'

--- How long the buffer must be quiet, in milliseconds, because a reply is written in pieces.
local CALM = 200

local M = {}

---@type { session: ctx.Session, tokens: integer?, limit: integer?, system: string? }?
local mine

--- The text that the plugin sends before the messages, and the state of the chat that it was built for.
---@type { of: string?, text: string? }
local instructions = {}

---@type table<integer, boolean>
local listening = {}

local due = false

--- Returns the conversation: its items, the text in the input, and the number of items up to and including the last
--- reply.
---@param messages table[]
---@return ctx.Item[] items
---@return string? draft
---@return integer through
local function conversation(messages)
  local items, through, draft = {}, 0, nil
  for i, message in ipairs(messages) do
    local content = vim.trim(message.content or '')
    if message.role == 'user' and i == #messages then
      -- The last section is the input until a reply follows it.
      draft = content ~= '' and content or nil
    elseif message.role == 'tool' then
      items[#items + 1] = { kind = 'toolResults', text = content }
    elseif message.role == 'assistant' then
      if message.reasoning and message.reasoning ~= '' then
        items[#items + 1] = { kind = 'reasoning', text = message.reasoning }
      end
      if content ~= '' then
        items[#items + 1] = { kind = 'assistant', text = content }
      end
      for _, call in ipairs(message.tool_calls or {}) do
        items[#items + 1] = { kind = 'toolCalls', name = call.name, text = tostring(call.arguments or '') }
      end
      through = #items
    elseif message.role == 'user' and content ~= '' then
      items[#items + 1] = { kind = 'user', text = content }
    end
  end
  return items, draft, through
end

--- Calls back with the text that the plugin sends before the messages. A message may choose other instructions by name,
--- such as "/Explain"; the files are read again for each question. The plugin reads them asynchronously, so the result
--- comes later.
---@param messages table[]
---@param callback fun(text: string?)
local function system_prompt(messages, callback)
  local last = messages[#messages]
  local draft = last and last.role == 'user' and last.content or nil
  local named = {}
  for name in (draft or ''):gmatch('/[^%s:]+') do
    named[#named + 1] = name
  end
  local key = table.concat({ math.floor(#messages / 2), vim.fn.getcwd(), unpack(named) }, '\n')
  if draft == nil or key == instructions.key then
    return callback(instructions.text)
  end
  local resolve = require('CopilotChat.prompts').resolve_prompt
  local options = require('CopilotChat').chat.config
  require('plenary.async').run(
    function()
      return pcall(resolve, draft, options)
    end,
    vim.schedule_wrap(function(ok, resolved)
      local text = ok and type(resolved) == 'table' and resolved.system_prompt or nil
      instructions = { key = key, text = type(text) == 'string' and vim.trim(text) or nil }
      callback(instructions.text)
    end)
  )
end

--- Updates the session to match the chat.
---@param buffer integer
---@param system? string the text that the plugin sends before the messages
local function sync(buffer, system)
  local plugin = require('CopilotChat')
  local chat = plugin.chat
  if type(chat) ~= 'table' or not chat.get_messages or not api.nvim_buf_is_valid(buffer) then
    return
  end
  local options = plugin.config or require('CopilotChat.config')
  local model = chat.config and chat.config.model or options.model
  if not mine then
    mine = {
      session = require('ctx').open({
        label = 'CopilotChat',
        model = model,
        provider = 'github-copilot',
        buffer = buffer,
      }),
    }
  elseif type(model) == 'string' then
    mine.session:model(model)
  end
  mine.session:show_in(buffer)
  local most = chat.token_max_count
  if type(most) == 'number' and most > 0 and most ~= mine.limit then
    mine.limit = most
    mine.session:update({ limits = { input = most } })
  end
  if system ~= mine.system then
    mine.system = system
    mine.session:update({ system = system or vim.NIL })
  end
  local items, draft, through = conversation(chat:get_messages())
  mine.session:mirror(items)
  mine.session:draft(draft)
  local tokens = chat.token_count
  if type(tokens) == 'number' and tokens > 0 and tokens ~= mine.tokens then
    mine.session:usage({ ['in'] = tokens, out = 0 }, { provider = 'ctx', through = through })
  end
  mine.tokens = tokens
end

local function sync_soon(buffer)
  if due then
    return
  end
  due = true
  vim.defer_fn(function()
    due = false
    local messages = safely(NAME, function()
      return require('CopilotChat').chat:get_messages()
    end)
    local function go_on(system)
      safely(NAME, sync, buffer, system)
    end
    -- If the plugin does not provide them, only the instructions are unknown.
    if not pcall(system_prompt, messages or {}, go_on) then
      go_on()
    end
  end, CALM)
end

---@param buffer integer
local function listen(buffer)
  if listening[buffer] then
    return
  end
  listening[buffer] = true
  api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      sync_soon(buffer)
    end,
    on_detach = function()
      listening[buffer] = nil
      if mine and not next(listening) then
        local session = mine.session
        mine = nil
        vim.schedule(function()
          session:close()
        end)
      end
    end,
  })
  sync_soon(buffer)
end

--- Starts listening. `args` is the event that loaded this adapter.
---@param args? table
function M.listen(args)
  api.nvim_create_autocmd('FileType', {
    group = api.nvim_create_augroup('ctx_copilotchat', {}),
    pattern = 'copilot-chat',
    callback = function(event)
      listen(event.buf)
    end,
  })
  if args then
    listen(args.buf)
    return
  end
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'copilot-chat' then
      listen(buffer)
    end
  end
end

return M
