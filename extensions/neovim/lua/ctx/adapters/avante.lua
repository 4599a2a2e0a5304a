-- Copyright The ctx-lsp authors. MIT licence.

--- avante.nvim: the adapter follows the sidebar of the tab page, using the plugin's User events (AvanteInputSubmitted,
--- AvanteViewBufferUpdated, AvanteLLMEscape) and the chat history of `require('avante').get(false)`.
---
--- The history contains the messages, the model, a memory that replaces the messages it summarizes, and two numbers
--- after each request. Only their sum means the same with all providers: prompt and reply together. Everything else
--- that the plugin sends is built by two of its own functions, which it also calls to count the input: its
--- instructions, the files in the chat, and the tools.
local api = vim.api
local safely = require('ctx.adapters').safely

local NAME = 'avante'

local M = {}

---@class ctx.avante.Chat
---@field session ctx.Session
---@field history string the file of the chat
---@field tokens integer?
---@field memory string?
---@field around table? the context besides the messages, as last sent to the session

---@type table<integer, ctx.avante.Chat> by tab page
local chats = {}

--- Blocks of a message's content that become items.
---@type table<string, fun(block: table): ctx.Item>
local BLOCKS = {
  thinking = function(block)
    return { kind = 'reasoning', text = block.thinking }
  end,
  redacted_thinking = function(block)
    return { kind = 'reasoning', text = block.data, opaque = true }
  end,
  tool_use = function(block)
    return { kind = 'toolCalls', name = block.name, text = vim.json.encode(block.input or vim.empty_dict()) }
  end,
  tool_result = function(block)
    local content = block.content
    return {
      kind = 'toolResults',
      text = type(content) == 'string' and content or vim.json.encode(content or ''),
      error = block.is_error or nil,
    }
  end,
  image = function(block)
    return { kind = 'media', mediaType = block.source and block.source.media_type or 'image/png' }
  end,
}

---@param message { role: string, content: any }
---@param items ctx.Item[]
local function add_items(message, items)
  local kind = message.role == 'assistant' and 'assistant' or 'user'
  local content = message.content
  if type(content) == 'string' then
    content = { content }
  end
  for _, block in ipairs(content or {}) do
    if type(block) == 'string' then
      items[#items + 1] = block ~= '' and { kind = kind, text = block } or nil
    elseif block.type == 'text' then
      items[#items + 1] = block.text ~= '' and { kind = kind, text = block.text } or nil
    elseif BLOCKS[block.type] then
      items[#items + 1] = BLOCKS[block.type](block)
    end
  end
end

--- Returns the conversation as it is sent: the memory replaces the messages that it summarizes.
---@param history table
---@return ctx.Item[] items
---@return integer through the number of items up to and including the last reply
local function conversation(history)
  local items, through = {}, 0
  local memory = history.memory
  local from = 1
  for i, message in ipairs(history.messages or {}) do
    if memory and memory.last_message_uuid and message.uuid == memory.last_message_uuid then
      from = i + 1
    end
  end
  if memory and type(memory.content) == 'string' and memory.content ~= '' then
    items[1] = { kind = 'summary', text = memory.content }
  end
  for i = from, #(history.messages or {}) do
    local message = history.messages[i]
    local sent = not (message.just_for_display or message.is_compacted or message.is_deleted or message.is_dummy)
    if sent and message.state ~= 'generating' and message.message then
      add_items(message.message, items)
      if message.message.role == 'assistant' then
        through = #items
      end
    end
  end
  return items, through
end

---@return string? provider
---@return string? model
local function model_of()
  local config = require('avante.config')
  local provider = config.provider
  local settings = config.providers and config.providers[provider]
  return provider, settings and settings.model or nil
end

--- Returns the sidebar of the current tab page, or nil.
---@return table?
local function sidebar()
  local found = require('avante').get(false)
  return found and found.chat_history and found or nil
end

---@param buffer? integer
local function valid(buffer)
  return type(buffer) == 'number' and api.nvim_buf_is_valid(buffer)
end

--- Returns what is sent in addition to the messages, as parameters of an update; nil if the plugin does not provide it.
---@param side table
---@return table?
local function around(side)
  local made
  local ok = pcall(function()
    side:get_generate_prompts_options('', function(options)
      options.history_messages = {}
      made = require('avante.llm').generate_prompts(options)
    end)
  end)
  if not ok or type(made) ~= 'table' or type(made.system_prompt) ~= 'string' then
    return nil
  end
  local system = { { label = 'instructions', text = made.system_prompt } }
  for _, message in ipairs(made.messages or {}) do
    if type(message.content) == 'string' and message.content ~= '' then
      system[#system + 1] = { label = 'files and instructions in the chat', text = message.content }
    end
  end
  local tools = {}
  local provider = require('avante.providers')[require('avante.config').provider]
  for _, tool in ipairs(not provider.disable_tools and provider.transform_tool and made.tools or {}) do
    tools[#tools + 1] = provider:transform_tool(tool)
  end
  return { system = system, tools = #tools > 0 and tools or vim.NIL }
end

--- Updates the session to match the chat.
---@return ctx.avante.Chat?
local function sync()
  local side = sidebar()
  if not side then
    return
  end
  local tab = api.nvim_get_current_tabpage()
  local history = side.chat_history
  local name = tostring(history.filename or history.title or '')
  local mine = chats[tab]
  if mine and mine.history ~= name then
    mine.session:close()
    mine = nil
  end
  local provider, model = model_of()
  if not mine then
    mine = {
      history = name,
      session = require('ctx').open({
        model = model,
        provider = require('ctx.adapters.providers')(provider),
        label = NAME,
      }),
    }
    chats[tab] = mine
  elseif model then
    mine.session:model(model)
  end
  for _, part in ipairs({ 'result', 'input' }) do
    local container = side.containers and side.containers[part]
    if container and valid(container.bufnr) then
      mine.session:show_in(container.bufnr)
    end
  end
  if not history.tokens_usage then
    -- Before the first answer, nothing else shows how large it is.
    local context = safely(NAME, around, side) or history.system_prompt and { system = history.system_prompt }
    if context and not vim.deep_equal(context, mine.around) then
      mine.around = context
      mine.session:update(context)
    end
  end
  local memory = history.memory and history.memory.content or nil
  local items, through = conversation(history)
  mine.session:mirror(items, { compacted = memory ~= nil and memory ~= mine.memory })
  mine.memory = memory
  local usage = history.tokens_usage
  local tokens = usage
    and type(usage.prompt_tokens) == 'number'
    and usage.prompt_tokens + (usage.completion_tokens or 0)
  if tokens and tokens > 0 and tokens ~= mine.tokens then
    mine.tokens = tokens
    mine.session:usage({ ['in'] = tokens, out = 0 }, { provider = 'ctx', through = through })
  end
  return mine
end

---@type table<string, fun(data: table)>
local events = {
  AvanteInputSubmitted = function(data)
    local mine = sync()
    if mine then
      -- The request becomes a message a moment later.
      mine.session:turn('start')
      mine.session:draft(type(data.request) == 'string' and data.request or nil)
    end
  end,
  AvanteViewBufferUpdated = function()
    local mine = sync()
    if mine then
      mine.session:draft_done()
      mine.session:turn('end')
    end
  end,
  AvanteLLMEscape = function()
    local mine = sync()
    if mine then
      mine.session:draft_done()
    end
  end,
}

---@param args table
local function on_event(args)
  if events[args.match] then
    safely(NAME, events[args.match], args.data or {})
  end
end

--- Starts listening. `args` is the event that loaded this adapter.
---@param args? table
function M.listen(args)
  local group = api.nvim_create_augroup('ctx_avante', {})
  api.nvim_create_autocmd('User', { group = group, pattern = vim.tbl_keys(events), callback = on_event })
  -- The input is created before the sidebar has a reference to it.
  api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'AvanteInput',
    callback = vim.schedule_wrap(function()
      safely(NAME, sync)
    end),
  })
  api.nvim_create_autocmd('TabClosed', {
    group = group,
    callback = function()
      for tab, mine in pairs(chats) do
        if not api.nvim_tabpage_is_valid(tab) then
          mine.session:close()
          chats[tab] = nil
        end
      end
    end,
  })
  -- The text in the sidebar's input is the next message.
  api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    group = group,
    callback = function(event)
      local mine = chats[api.nvim_get_current_tabpage()]
      if mine and vim.bo[event.buf].filetype == 'AvanteInput' then
        mine.session:draft(vim.trim(table.concat(api.nvim_buf_get_lines(event.buf, 0, -1, false), '\n')))
      end
    end,
  })
  if args and args.event == 'User' then
    on_event(args)
  else
    vim.schedule(function()
      safely(NAME, sync)
    end)
  end
end

return M
