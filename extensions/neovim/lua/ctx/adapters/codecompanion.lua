-- Copyright The ctx-lsp authors. MIT licence.

--- codecompanion.nvim: the adapter follows its chats, using the User events that the plugin documents
--- (CodeCompanionChat…, CodeCompanionToolsFinished) and the chat object that `require('codecompanion').buf_get_chat()`
--- returns.
---
--- The chat contains the messages, the model, the model's window, and one number after each request: prompt and reply
--- together. So a usage has no reply of its own: the reported prompt includes the reply.
local api = vim.api
local safely = require('ctx.adapters').safely

local NAME = 'codecompanion'

local M = {}

---@class ctx.codecompanion.Chat
---@field session ctx.Session
---@field tokens integer?
---@field compacting boolean?

---@type table<integer, ctx.codecompanion.Chat> by buffer
local chats = {}

--- Buffers with a closed chat. Later events of the plugin about them are ignored.
---@type table<integer, boolean>
local closed = {}

--- The plugin's roles, and the matching kinds of items.
local KINDS = { user = 'user', llm = 'assistant', tool = 'toolResults' }

--- Tags of messages that add a document to the conversation.
local DOCUMENTS =
  { file = true, buffer = true, document = true, rules = true, url = true, diff = true, viewport = true }

---@param value any
---@return string?
local function text_of(value)
  if type(value) == 'string' then
    return value ~= '' and value or nil
  end
  if type(value) == 'table' then
    return type(value.content) == 'string' and text_of(value.content) or vim.json.encode(value)
  end
end

--- Adds the items of a message, in the order in which they are sent.
---@param message table
---@param items ctx.Item[]
local function add_items(message, items)
  local meta = message._meta or {}
  local context = message.context or {}
  local content = text_of(message.content)
  local reasoning = text_of(message.reasoning)
  if reasoning then
    items[#items + 1] = { kind = 'reasoning', text = reasoning }
  end
  if meta.tag == 'image' then
    items[#items + 1] =
      { kind = 'media', mediaType = context.mimetype or 'image/png', label = context.path or context.id }
  elseif content then
    local item = { kind = KINDS[message.role], text = content }
    if meta.tag == 'compact_summary' then
      item.kind = 'summary'
    elseif DOCUMENTS[meta.tag] then
      item.kind, item.label = 'documents', context.path or context.id
    elseif message.role == 'tool' and message.tools then
      item.name = message.tools.name
    end
    items[#items + 1] = item
  end
  for _, call in ipairs(message.tools and message.tools.calls or {}) do
    local run = call['function'] or call
    local arguments = run.arguments
    items[#items + 1] = {
      kind = 'toolCalls',
      name = run.name,
      text = type(arguments) == 'string' and arguments or vim.json.encode(arguments or vim.empty_dict()),
    }
  end
end

--- Returns the conversation of a chat: its items, its system prompt, and the number of items up to and including the
--- last reply.
---@param chat table
---@return ctx.Item[] items
---@return string[] system
---@return integer through
local function conversation(chat)
  local items, system, through = {}, {}, 0
  for _, message in ipairs(chat.messages or {}) do
    if message.role == 'system' then
      system[#system + 1] = text_of(message.content)
    elseif KINDS[message.role] then
      add_items(message, items)
      if message.role == 'llm' then
        through = #items
      end
    end
  end
  return items, system, through
end

--- Returns the plugin's name for the model, and the window that the plugin assumes.
---@param chat table
---@return string? model
---@return integer? window
local function model_of(chat)
  local adapter = chat.adapter or {}
  local known = type(adapter.model) == 'table' and adapter.model or {}
  local model = known.name or adapter.schema and adapter.schema.model and adapter.schema.model.default
  if type(model) == 'function' then
    model = safely(NAME, model, adapter)
  end
  local window = known.meta and known.meta.context_window or adapter.meta and adapter.meta.context_window
  return type(model) == 'string' and model or nil, type(window) == 'number' and window > 0 and window or nil
end

--- Returns a rule for the compaction threshold in the plugin's own options; nil if it does not compact.
---@return table?
local function rule()
  local options = require('codecompanion.config').interactions.chat.opts.context_management
  if not options or options.enabled == false or not options.compaction then
    return nil
  end
  local trigger = options.compaction.trigger
  if type(trigger) ~= 'number' or trigger <= 0 then
    return nil
  end
  return trigger <= 1 and { percent = trigger * 100 } or { threshold = math.floor(trigger) }
end

---@param buffer integer
---@return table? chat
local function chat_of(buffer)
  return safely(NAME, function()
    local chat = require('codecompanion').buf_get_chat(buffer)
    return type(chat) == 'table' and chat.messages and chat or nil
  end)
end

--- Returns the session of a chat, which is opened at the chat's first event.
---@param buffer integer
---@param chat table
---@return ctx.codecompanion.Chat
local function entry_of(buffer, chat)
  if not chats[buffer] then
    local model, window = model_of(chat)
    chats[buffer] = {
      session = require('ctx').open({
        id = ('codecompanion-%s-%s'):format(vim.loop.os_getpid(), chat.id or buffer),
        model = model,
        provider = require('ctx.adapters.providers')(chat.adapter and chat.adapter.name),
        limits = window and { window = window } or nil,
        rule = safely(NAME, rule),
        label = NAME,
        buffer = buffer,
      }),
    }
    -- The text below the last header is the next message.
    api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
      group = api.nvim_create_augroup('ctx_codecompanion_' .. buffer, {}),
      buffer = buffer,
      callback = function()
        M.draft(buffer)
      end,
    })
  end
  return chats[buffer]
end

--- Removes the quotation that the plugin itself writes below the header to list the context.
---@param lines string[]
---@return string[]
local function typed(lines)
  local first = 1
  while lines[first] and vim.trim(lines[first]) == '' do
    first = first + 1
  end
  if not (lines[first] or ''):match('^>%s*Context:') then
    return lines
  end
  while (lines[first] or ''):match('^>') do
    first = first + 1
  end
  return vim.list_slice(lines, first)
end

--- Sends the text of the input to the session.
---@param buffer integer
function M.draft(buffer)
  local chat, mine = chat_of(buffer), chats[buffer]
  if not chat or not mine or chat.current_request or type(chat.header_line) ~= 'number' then
    return
  end
  local lines = api.nvim_buf_get_lines(buffer, chat.header_line, -1, false)
  mine.session:draft(vim.trim(table.concat(typed(lines), '\n')))
end

--- Updates the session to match the chat.
---@param buffer integer
---@return ctx.codecompanion.Chat?
---@return integer? through
local function sync(buffer)
  local chat = not closed[buffer] and chat_of(buffer)
  if not chat then
    return
  end
  local mine = entry_of(buffer, chat)
  local items, system, through = conversation(chat)
  local model = model_of(chat)
  if model then
    mine.session:model(model)
  end
  local prompt = table.concat(system, '\n')
  if prompt ~= mine.system then
    mine.system = prompt
    mine.session:update({ system = prompt ~= '' and prompt or vim.NIL })
  end
  -- The plugin announces a compaction before it starts. It is complete when the summary is among the messages.
  local summarised = mine.compacting
    and #vim.tbl_filter(function(item)
      return item.kind == 'summary'
    end, items) > (mine.summaries or 0)
  mine.session:mirror(items, { compacted = summarised })
  if summarised then
    mine.compacting = false
    mine.tokens = nil
  end
  mine.summaries = #vim.tbl_filter(function(item)
    return item.kind == 'summary'
  end, items)
  return mine, through
end

--- Reports the provider's number, if there is a new one.
---@param buffer integer
local function report(buffer)
  local mine, through = sync(buffer)
  local chat = chat_of(buffer)
  local tokens = chat and chat.tokens
  if not mine or type(tokens) ~= 'number' or tokens <= 0 or tokens == mine.tokens then
    return
  end
  mine.tokens = tokens
  mine.session:usage({ ['in'] = tokens, out = 0 }, { provider = 'ctx', through = through })
end

---@type table<string, fun(buffer: integer, data: table)>
local events = {
  ChatCreated = function(buffer)
    closed[buffer] = nil
    sync(buffer)
  end,
  ChatOpened = sync,
  ChatSubmitted = function(buffer)
    local mine = sync(buffer)
    if mine then
      mine.session:draft_done()
      mine.session:turn('start')
    end
  end,
  -- When the plugin reports a finished request, it already has the number, but the reply is not among the messages yet:
  -- it is there after the tools have run, otherwise when the chat is done.
  ToolsFinished = report,
  ChatDone = function(buffer)
    report(buffer)
    if chats[buffer] then
      chats[buffer].session:turn('end')
    end
  end,
  ChatStopped = sync,
  ChatCleared = sync,
  ChatRestored = sync,
  ChatModel = sync,
  ChatCompacting = function(buffer)
    local mine = sync(buffer)
    if mine then
      mine.compacting = true
    end
  end,
  ChatClosed = function(buffer)
    closed[buffer] = true
    if chats[buffer] then
      chats[buffer].session:close()
      chats[buffer] = nil
    end
  end,
}

---@param args table
local function on_event(args)
  local data = args.data or {}
  local handle = events[(args.match:gsub('^CodeCompanion', ''))]
  if handle and type(data.bufnr) == 'number' and api.nvim_buf_is_valid(data.bufnr) then
    safely(NAME, handle, data.bufnr, data)
  end
end

--- Starts listening. `args` is the event that loaded this adapter.
---@param args? table
function M.listen(args)
  api.nvim_create_autocmd('User', {
    group = api.nvim_create_augroup('ctx_codecompanion', {}),
    pattern = { 'CodeCompanionChat*', 'CodeCompanionToolsFinished' },
    callback = on_event,
  })
  if args then
    on_event(args)
    return
  end
  -- The plugin was loaded before this adapter, so there may already be chats.
  for _, entry in ipairs(safely(NAME, require('codecompanion').buf_get_chat) or {}) do
    local chat = entry.chat
    if chat and chat.bufnr and api.nvim_buf_is_valid(chat.bufnr) then
      safely(NAME, sync, chat.bufnr)
    end
  end
end

return M
