-- Copyright The ctx-lsp authors. MIT licence.

--- A session of another plugin, which reports what it sends to a model and what the provider returns, and gets
--- readings.
---
--- Calls are sent in the order in which they are made, and never block. The journal contains the calls since the ledger
--- was last saved, and they are sent again if the server had to be restarted: a crash costs only time. A call that the
--- server refused has changed nothing, so it is removed from the journal. The section "When the engine is lost" of
--- docs/protocol.md describes journals.
local client = require('ctx.client')
local readings = require('ctx.readings')
local status = require('ctx.status')

local M = {}

--- How long after a change the ledger is saved, and how long typing is collected, in milliseconds.
local SAVE, TYPING = 500, 120

--- How much is kept while there is no server; with more, everything is dropped.
local KEPT = 4 * 1024 * 1024

--- How much text one call contains.
local BATCH = 512 * 1024

--- The options for opening a session; see `ctx/session/open` in the protocol.
---@class (exact) ctx.OpenOpts
---@field id? string
---@field agent? string
---@field model? string
---@field provider? string
---@field route? string
---@field workspace? string the working directory without it
---@field mode? "hybrid"|"provider"
---@field limits? { window?: integer, input?: integer, output?: integer }
---@field reserve? integer
---@field rule? string|table
---@field reasoning? "never"|"turn"|"always"
---@field parent? string
---@field label? string
---@field buffer? integer the buffer that shows this session

--- An item of the conversation.
---@class (exact) ctx.Item
---@field kind "user"|"assistant"|"toolCalls"|"toolResults"|"reasoning"|"media"|"summary"|"documents"
---@field text? string
---@field tokens? integer
---@field label? string
---@field name? string
---@field mediaType? string
---@field width? integer
---@field height? integer
---@field pages? integer
---@field seconds? number
---@field error? boolean
---@field opaque? boolean

--- A call that changed the session.
---@class (exact) ctx.JournalEntry
---@field method string
---@field params table
---@field size integer
---@field before table? the parameters of opening before this call

---@class ctx.Session
---@field id string
---@field private params table
---@field private number integer its position in the order of opening
---@field private journal ctx.JournalEntry[]
---@field private kept integer the size of the journal
---@field private attempt integer how many times the session was sent to a server
---@field private opened boolean whether a server has received the session
---@field private opening boolean whether calls wait until the server has the session
---@field private refused boolean whether the server has refused the session's beginning
---@field private ledger table?
---@field private marks string[]
local Session = {}
Session.__index = Session

--- The open sessions.
---@type table<string, ctx.Session>
local open = {}

local count = 0

---@return integer milliseconds since 1970
local function now()
  local seconds, micros = vim.loop.gettimeofday()
  return seconds * 1000 + math.floor(micros / 1000)
end

--- Returns roughly how much text a call contains.
local function size_of(value)
  if type(value) == 'string' then
    return #value
  elseif type(value) ~= 'table' then
    return 8
  end
  local size = 0
  for _, inner in pairs(value) do
    size = size + size_of(inner)
  end
  return size
end

--- Handles the server's reply: a reading, or an error.
---@private
function Session:received(method, problem, reading)
  self.problem = problem
  if problem then
    require('ctx.log').add(('%s of session %s: %s'):format(method, self.id, problem))
  else
    readings.put(reading)
  end
end

--- Sends a call of the journal. If the server refuses it, it is removed from the journal again.
---@private
---@param entry ctx.JournalEntry
function Session:transmit(entry)
  client.request(entry.method, entry.params, function(problem, reading, refusal)
    if open[self.id] ~= self then
      return
    end
    if refusal then
      self:forget({ [entry] = true })
      for name, value in pairs(entry.before or {}) do
        if vim.deep_equal(self.params[name], entry.params[name]) then
          self.params[name] = value ~= vim.NIL and value or nil
        end
      end
    end
    self:received(entry.method, problem, reading)
  end)
end

--- Removes calls from the journal.
---@private
---@param entries table<ctx.JournalEntry, boolean>
function Session:forget(entries)
  local rest, kept = {}, 0
  for _, entry in ipairs(self.journal) do
    if not entries[entry] then
      rest[#rest + 1] = entry
      kept = kept + entry.size
    end
  end
  self.journal, self.kept = rest, kept
end

--- Reports whether calls reach a server that has this session.
---@private
---@return boolean
function Session:reachable()
  return not self.opening and client.reachable()
end

--- Saves the ledger after a while without changes; the calls that it contains are then dropped.
---@private
function Session:save_soon()
  if self.saving then
    return
  end
  self.saving = true
  vim.defer_fn(function()
    self.saving = false
    if open[self.id] ~= self or #self.journal == 0 or not self:reachable() then
      return
    end
    local held = {}
    for _, entry in ipairs(self.journal) do
      held[entry] = true
    end
    local attempt = self.attempt
    client.request('ctx/session/save', { id = self.id }, function(problem, result)
      if problem or not (result and result.ledger) or self.attempt ~= attempt then
        return
      end
      self.ledger = result.ledger
      self:forget(held)
    end)
  end, SAVE)
end

---@private
---@param method string
---@param params table
---@param before? table
function Session:send(method, params, before)
  if self.closed then
    return
  end
  params.id = self.id
  params.at = now()
  local entry = { method = method, params = params, size = size_of(params), before = before }
  self.journal[#self.journal + 1] = entry
  self.kept = self.kept + entry.size
  if self:reachable() then
    self:transmit(entry)
    self:save_soon()
  elseif self.kept > KEPT and (self.refused or not client.reachable()) then
    self:give_up()
  end
end

--- Drops everything that no server has received; a mirrored conversation is sent again from its beginning.
---@private
function Session:give_up()
  self.journal, self.kept, self.marks, self.ledger = {}, 0, {}, nil
end

---@private
function Session:transmit_journal()
  for _, entry in ipairs(self.journal) do
    self:transmit(entry)
  end
  self:save_soon()
end

--- Sends the session to a server: its beginning, and then the calls since. If a server has had the session before, the
--- calls wait for the reply, because this server may have an earlier state of it.
---@private
---@param closed? boolean whether an earlier state of the session was closed first
function Session:send_open(closed)
  self.attempt, self.opening, self.refused = self.attempt + 1, self.opened, false
  local attempt = self.attempt
  local method, params = 'ctx/session/open', self.params
  if self.ledger then
    method = 'ctx/session/restore'
    params = { ledger = self.ledger, id = self.id, parent = self.params.parent, shared = self.params.shared }
  end
  client.request(method, params, function(problem, reading, refusal)
    if open[self.id] ~= self or self.attempt ~= attempt then
      return
    end
    if refusal and refusal.kind == 'session_exists' and self.opened and not closed then
      client.request('ctx/session/close', { id = self.id })
      return self:send_open(true)
    end
    if refusal and refusal.kind == 'bad_ledger' and self.ledger then
      -- What the ledger contained is lost, and the readings say so.
      self.ledger = nil
      self.params = vim.tbl_extend('force', self.params, { setAside = true })
      return self:send_open(closed)
    end
    self:received(method, problem, reading)
    if problem then
      self.opening, self.refused = true, true
      return
    end
    local waited = self.opening
    self.opening, self.opened = false, true
    if waited then
      self:transmit_journal()
    end
  end)
  if not self.opening then
    self:transmit_journal()
  end
end

client.when_ready(function()
  -- Sessions are sent in the order in which they were opened, so a parent comes before its sub-agents.
  local sessions = vim.tbl_values(open)
  table.sort(sessions, function(a, b)
    return a.number < b.number
  end)
  for _, session in ipairs(sessions) do
    session:send_open()
  end
end)

--- Opens a session. It can be used at once, whether or not the server is running.
---@param opts ctx.OpenOpts
---@return ctx.Session
function M.open(opts)
  count = count + 1
  opts = vim.tbl_extend('force', {}, opts or {})
  local buffer = opts.buffer
  opts.buffer = nil
  opts.id = opts.id or ('nvim-%d-%d'):format(vim.loop.os_getpid(), count)
  if open[opts.id] then
    open[opts.id]:close()
  end
  if opts.workspace == nil then
    local cwd = client.cwd()
    opts.workspace = cwd ~= '' and cwd or nil
  end
  opts.at = now()
  local self = setmetatable({
    id = opts.id,
    number = count,
    params = opts,
    journal = {},
    kept = 0,
    attempt = 0,
    opened = false,
    opening = false,
    refused = false,
    marks = {},
  }, Session)
  open[self.id] = self
  readings.expect(self.id)
  if buffer then
    status.tie(buffer, self.id)
  end
  if client.reachable() then
    self:send_open()
  else
    require('ctx.start').now()
  end
  return self
end

--- Returns the last reading, or nil.
---@return ctx.Reading?
function Session:reading()
  return readings.get(self.id)
end

--- Calls back with every new reading.
---@param callback fun(reading: ctx.Reading)
---@return fun() stop
function Session:on_reading(callback)
  return readings.on_change(function(reading)
    if reading.session == self.id then
      callback(reading)
    end
  end)
end

--- Shows this session in a buffer's statusline, or stops showing it.
---@param buffer integer
---@param shown? boolean
function Session:show_in(buffer, shown)
  status.tie(buffer, shown ~= false and self.id or nil)
end

--- Adds one or more items to the end of the conversation.
---@param items ctx.Item|ctx.Item[]
function Session:append(items)
  if items.kind then
    items = { items }
  end
  local batch, size = {}, 0
  for _, item in ipairs(items) do
    local more = size_of(item)
    if #batch > 0 and size + more > BATCH then
      self:send('ctx/session/update', { append = batch })
      batch, size = {}, 0
    end
    batch[#batch + 1] = item
    size = size + more
  end
  if #batch > 0 then
    self:send('ctx/session/update', { append = batch })
  end
end

--- Reports a change: `model`, `limits`, `rule`, a part like `system` or `tools`, `replace`, `removeFrom`.
---@param changes table
function Session:update(changes)
  -- A session that is reopened begins with the values known by then.
  local before = {}
  for _, name in ipairs({ 'model', 'limits', 'rule' }) do
    if changes[name] ~= nil then
      before[name] = self.params[name] == nil and vim.NIL or self.params[name]
      self.params[name] = changes[name]
    end
  end
  self:send('ctx/session/update', vim.tbl_extend('force', {}, changes), before)
end

--- Continues the conversation with another model. The same model is not sent twice.
---@param model string
function Session:model(model)
  if model ~= '' and model ~= self.params.model then
    self:update({ model = model })
  end
end

--- Starts or ends a turn of the conversation.
---@param edge "start"|"end"
function Session:turn(edge)
  self:send('ctx/session/update', { turn = edge })
end

--- Reports a provider's usage object, unchanged; also parts of a stream, with `final = false`.
---@param usage table
---@param opts? { provider?: string, request?: string, through?: integer, final?: boolean }
function Session:usage(usage, opts)
  opts = vim.tbl_extend('force', { provider = self.params.provider }, opts or {})
  opts.usage = usage
  self:send('ctx/session/usage', opts)
end

--- Reports a provider's error, unchanged.
---@param err table|string
---@param opts? { provider?: string, status?: integer }
function Session:error(err, opts)
  opts = vim.tbl_extend('force', { provider = self.params.provider }, opts or {})
  opts.error = err
  self:send('ctx/session/error', opts)
end

--- Reports that the conversation was compacted.
---@param opts? { trigger?: "auto"|"manual", summary?: any, kept?: integer, tokens?: integer }
function Session:compacted(opts)
  self:send('ctx/session/compacted', vim.tbl_extend('force', { trigger = 'auto' }, opts or {}))
end

--- Sets the text in the input that has not been sent yet; nil means none. It may be called for every key, because it
--- sends only after a pause.
---@param text? string
function Session:draft(text)
  if text == '' then
    text = nil
  end
  self.drafted = text
  if self.typing then
    return
  end
  self.typing = true
  vim.defer_fn(function()
    self.typing = false
    if self.drafted ~= self.draft_sent then
      self.draft_sent = self.drafted
      self:send('ctx/session/update', { draft = self.drafted or vim.NIL })
    end
  end, TYPING)
end

--- Clears the text in the input, because it has become an item.
function Session:draft_done()
  self.drafted = nil
  if self.draft_sent then
    self.draft_sent = nil
    self:send('ctx/session/update', { draft = vim.NIL })
  end
end

--- Returns a key that identifies an item without storing its text.
---@param item ctx.Item
local function mark(item)
  return table.concat(
    { item.kind, item.label or '', item.name or '', item.tokens or '', vim.fn.sha256(item.text or '') },
    '\1'
  )
end

--- Makes the session's items equal to a complete conversation, and sends only the difference.
---@param items ctx.Item[]
---@param opts? { compacted?: boolean } a difference in what was there already is a compaction
function Session:mirror(items, opts)
  local same = 0
  local marks = {}
  for i, item in ipairs(items) do
    marks[i] = mark(item)
  end
  while same < #marks and same < #self.marks and marks[same + 1] == self.marks[same + 1] do
    same = same + 1
  end
  local removed = same < #self.marks
  self.marks = marks
  if removed and opts and opts.compacted then
    self:compacted({ kept = 0 })
    same = 0
  elseif removed then
    self:send('ctx/session/update', { removeFrom = same })
  end
  if same < #items then
    local rest = {}
    for i = same + 1, #items do
      rest[#rest + 1] = items[i]
    end
    self:append(rest)
  end
end

--- Closes the session. Its buffers show again what they showed before.
function Session:close()
  if self.closed then
    return
  end
  self.closed = true
  open[self.id] = nil
  if client.reachable() then
    client.request('ctx/session/close', { id = self.id })
  end
  status.untie(self.id)
  readings.forget(self.id)
end

return M
