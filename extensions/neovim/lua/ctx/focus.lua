-- Copyright The ctx-lsp authors. MIT licence.

--- Decides which session the editor shows. The server chooses by the working directory, the file, or the focused
--- terminal; the user may pin a session.
local api = vim.api
local client = require('ctx.client')
local format = require('ctx.format')
local readings = require('ctx.readings')
local status = require('ctx.status')

local M = {}

--- How long to wait for further events before the request to the server, in milliseconds.
local CALM = 40

--- The session that the user has pinned.
---@type string?
local held

local asked, due = 0, false

--- Returns what the server needs for its choice: the most specific fact about the current buffer.
---@param buffer integer
---@return table
local function question(buffer)
  local cwd = client.cwd()
  local asking = { workspace = cwd ~= '' and cwd or nil }
  if vim.bo[buffer].buftype == 'terminal' then
    local ok, pid = pcall(function()
      return vim.fn.jobpid(vim.b[buffer].terminal_job_id)
    end)
    asking.terminalPid = ok and pid or nil
  elseif vim.bo[buffer].buftype == '' then
    local name = api.nvim_buf_get_name(buffer)
    asking.file = name ~= '' and not name:find('^%a[%w+.-]+://') and name or nil
  end
  return asking
end

--- The buffer of the last request.
---@type integer
local about = -1

--- Shows the session that the server has found. A session that is merely the newest of all does not belong here, and is
--- not shown.
---@param reading? ctx.Reading
local function show(reading)
  local shown
  if reading then
    -- The reason is not kept with the reading, because the same reading also comes without it.
    shown = reading.focus and reading.focus.reason
    reading.focus = nil
    readings.put(reading)
  end
  local session = reading and shown ~= 'elsewhere' and reading.session or nil
  status.focus(session)
  if api.nvim_buf_is_valid(about) and vim.bo[about].buftype == 'terminal' then
    status.tie(about, shown == 'terminal' and session or nil)
  end
end

--- Requests the focused session. Replies to older requests are ignored.
local function ask()
  due = false
  if client.server().state ~= 'ready' then
    return
  end
  asked = asked + 1
  local this = asked
  local buffer = api.nvim_get_current_buf()
  client.request('ctx/focus', held and { session = held } or question(buffer), function(problem, reading)
    if this ~= asked then
      return
    end
    if problem and held then
      -- The pinned session no longer exists.
      held = nil
      return ask()
    end
    if not problem then
      about = buffer
      show(reading)
    end
  end)
end

--- Shows another session that the server has found for the last request.
---@param change? ctx.FocusedParams
function M.changed(change)
  if type(change) == 'table' and (change.reading == nil or type(change.reading) == 'table') then
    show(change.reading)
  end
end

--- Sends the request once no further events arrive.
function M.look()
  if not due then
    due = true
    vim.defer_fn(ask, CALM)
  end
end

--- Lets the server report every session on this machine, because an agent may work in a directory above this one.
---@param plain? boolean use the default text, because the user's was refused
function M.watch(plain)
  local asking = format.look(plain)
  local cwd = client.cwd()
  asking.folders = cwd ~= '' and { cwd } or nil -- their sessions are read first
  client.request('ctx/watch', asking, function(problem, result)
    if problem and not plain and problem:find('The template', 1, true) then
      format.refused(problem)
      return M.watch(true)
    elseif problem then
      return require('ctx.log').add('ctx/watch: ' .. problem)
    end
    for _, reading in ipairs(result and result.sessions or {}) do
      readings.put(reading)
    end
    status.search(result ~= nil and result.searching == true)
    M.look()
  end)
end

--- Requests all readings again, because the options have changed.
function M.again()
  if client.server().state ~= 'ready' then
    return
  end
  M.watch()
  for _, session in ipairs(readings.names()) do
    client.request('ctx/session/reading', { id = session }, function(problem, reading)
      if not problem then
        readings.put(reading)
      end
    end)
  end
end

--- Pins a session, or unpins it.
---@param session? string
function M.hold(session)
  held = session
  M.look()
end

--- Pins the session that the user names by its id, the beginning of the id, or words of its title. All sessions of this
--- machine are searched, whether the server has read them or not. A failure is reported.
---@param name string
function M.hold_named(name)
  local notify = require('ctx.notify').show
  require('ctx.view.sessions').all(function(problem, sessions, earlier)
    if problem then
      return notify(problem, vim.log.levels.WARN)
    end
    local by_id, by_title = {}, {}
    for _, listed in ipairs(vim.list_extend(sessions, earlier)) do
      local title = listed.title and listed.title ~= '' and listed.title or listed.opening or ''
      if listed.session == name then
        return M.hold(name)
      elseif vim.startswith(listed.session, name) then
        by_id[listed.session] = true
      elseif title:lower():find(name:lower(), 1, true) then
        by_title[listed.session] = true
      end
    end
    local found = vim.tbl_keys(next(by_id) and by_id or by_title)
    if #found == 1 then
      return M.hold(found[1])
    elseif #found > 1 then
      return notify(('%q matches %d sessions; :Ctx sessions lists them'):format(name, #found), vim.log.levels.WARN)
    end
    -- Sub-agents of unread sessions, and sessions beyond the end of the list, are found only by their full id.
    client.request('ctx/focus', { session = name }, function(unknown)
      if unknown then
        return notify(('no session is called %q; :Ctx sessions lists them'):format(name), vim.log.levels.WARN)
      end
      M.hold(name)
    end)
  end)
end

---@return string?
function M.held()
  return held
end

--- Starts following the editor.
function M.follow()
  local group = api.nvim_create_augroup('ctx_focus', {})
  local events = { 'BufEnter', 'TabEnter', 'TermOpen', 'FocusGained', 'DirChanged' }
  api.nvim_create_autocmd(events, { group = group, callback = M.look })
end

return M
