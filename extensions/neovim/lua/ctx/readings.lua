-- Copyright The ctx-lsp authors. MIT licence.

--- The readings that this editor knows, by session. Listeners are called only when a reading changes.
local M = {}

---@type table<string, ctx.Reading>
local readings = {}

---@type table<string, boolean>
local closed = {}

---@type fun(reading: ctx.Reading, before: ctx.Reading?)[]
local listeners = {}

---@param session? string
---@return ctx.Reading?
function M.get(session)
  return session and readings[session] or nil
end

--- Returns the ids of the sessions, sorted.
---@return string[]
function M.names()
  local names = vim.tbl_keys(readings)
  table.sort(names)
  return names
end

--- Reports whether an external value is a reading.
---@param value any
---@return boolean
local function is_reading(value)
  return type(value) == 'table'
    and type(value.session) == 'string'
    and type(value.display) == 'table'
    and type(value.compaction) == 'table'
end

--- Stores a reading, and returns whether it differs from the previous one. Anything that is not a reading is ignored.
---@param reading? ctx.Reading
---@return boolean
function M.put(reading)
  if not is_reading(reading) then
    return false
  end
  ---@cast reading ctx.Reading
  if closed[reading.session] then
    return false
  end
  local before = readings[reading.session]
  if before and vim.deep_equal(before, reading) then
    return false
  end
  readings[reading.session] = reading
  for _, listener in ipairs(listeners) do
    listener(reading, before)
  end
  return true
end

--- Handles a crossing of a level: listeners get the session's reading first, and then the event.
---@param change? { session: string, level: string, before: string, reading: ctx.Reading }
function M.level(change)
  if type(change) ~= 'table' or type(change.session) ~= 'string' or not is_reading(change.reading) then
    return
  end
  M.put(change.reading)
  require('ctx.status').level_changed(change)
end

--- Calls back with every reading that differs from the previous one.
---@param listener fun(reading: ctx.Reading, before: ctx.Reading?)
---@return fun() stop
function M.on_change(listener)
  listeners[#listeners + 1] = listener
  return function()
    listeners = vim.tbl_filter(function(l)
      return l ~= listener
    end, listeners)
  end
end

--- Forgets a session that was closed here. Readings that the server sent before it knew about that still arrive, and
--- are ignored.
---@param session string
function M.forget(session)
  readings[session] = nil
  closed[session] = true
end

--- Removes a session that has ended, or that another editor has closed. The server sends no reading of it any more.
---@param change? { session: string }
function M.closed(change)
  if type(change) ~= 'table' or type(change.session) ~= 'string' or not readings[change.session] then
    return
  end
  readings[change.session] = nil
  require('ctx.status').untie(change.session)
end

--- Accepts the readings of a session again, because it is being reopened under its old name.
---@param session string
function M.expect(session)
  closed[session] = nil
end

return M
