-- Copyright The ctx-lsp authors. MIT licence.

--- The state that the editor shows: which session belongs to which buffer, and the state of each as data.
---
---   vim.g.ctx_status        the text of the session in focus
---   vim.b.ctx_status        the text of the buffer's session
---   vim.b.ctx_status_dict   its whole reading
---   User CtxUpdate          when one of them has changed       data = { session, reading }
---   User CtxLevel           when a session crosses a level     data = { session, level, before, reading }
---
--- All texts are built when a reading changes; drawing a statusline only looks up a finished string.
local api = vim.api
local readings = require('ctx.readings')
local highlight = require('ctx.highlight')

local M = {}

--- The session of each buffer. Buffers without one show the focused session.
---@type table<integer, string>
local session_of = {}

--- The focused session.
---@type string?
local focused

--- Whether the server accepts requests. Once it has failed for good, its earlier readings are no longer shown.
local reachable = true

--- The finished texts, by session.
---@type table<string, { text: string, statusline: string, short: string }>
local finished = {}

--- The server's current task while there is no session to show: at its first start it compiles its engine for this
--- machine, which takes seconds.
---@type string?
local busy

--- Whether the server is still searching for sessions.
local searching = false

--- Returns the text that is shown while there is no session; nil if there is none.
---@return string?
local function meanwhile()
  return reachable and (busy or searching and 'ctx: searching for sessions') or nil
end

local no_data = vim.fn.has('nvim-0.8') == 0

--- Announces a User event. Before Neovim 0.8 events have no data, so the state is only in the variables.
---@param pattern string
---@param data table
local function announce(pattern, data)
  api.nvim_exec_autocmds('User', { pattern = pattern, modeline = false, data = not no_data and data or nil })
end

---@param reading ctx.Reading
local function finish(reading)
  local text = require('ctx.format').text(reading)
  local level = reading.compaction and reading.compaction.level or 'ok'
  local group = highlight.of_level[level] or 'CtxOk'
  if reading.activity == 'idle' or reading.activity == 'ended' then
    group = 'CtxMuted' -- an inactive session never signals an alarm
  end
  local colour = require('ctx.config').get().statusline.highlight
  local function coloured(line)
    line = line:gsub('%%', '%%%%')
    if line ~= '' and (colour == 'always' or colour == 'levels' and group ~= 'CtxOk') then
      line = '%#' .. group .. '#' .. line .. '%*'
    end
    return line
  end
  local short = reading.display and (reading.display.mark or '') .. (reading.display.percent or '') or ''
  finished[reading.session] = { text = text, statusline = coloured(text), short = coloured(text ~= '' and short or '') }
end

---@param buffer integer
local function of_buffer(buffer)
  local session = session_of[buffer] or focused
  return reachable and session and finished[session] and session or nil
end

--- The variables of each buffer. A reading is replaced when it changes, and never modified.
---@type table<integer, { text: string?, reading: ctx.Reading? }>
local published = {}

--- Updates the variables of a buffer. Returns whether they have changed.
---@param buffer integer
local function publish_buffer(buffer)
  if not api.nvim_buf_is_valid(buffer) then
    session_of[buffer], published[buffer] = nil, nil
    return false
  end
  local session = of_buffer(buffer)
  local reading = readings.get(session)
  local text = reading and finished[session].text or nil
  local before = published[buffer] or {}
  if before.text == text and before.reading == reading then
    return false
  end
  published[buffer] = { text = text, reading = reading }
  vim.b[buffer].ctx_status = text
  vim.b[buffer].ctx_status_dict = reading
  return true
end

--- Returns the visible buffers, and those with a session of their own. Other buffers are updated when they are entered.
---@return table<integer, boolean>
local function visible()
  local buffers = {}
  for _, window in ipairs(api.nvim_list_wins()) do
    local buffer = api.nvim_win_get_buf(window)
    if vim.bo[buffer].buflisted then
      buffers[buffer] = true
    end
  end
  for buffer in pairs(session_of) do
    buffers[buffer] = true
  end
  return buffers
end

--- Updates everything that shows a session, and announces it if something has changed.
---@param session? string nil: all sessions
local function publish(session)
  local changed = false
  local text = reachable and focused and finished[focused] and finished[focused].text or ''
  if text == '' then
    text = meanwhile() or ''
  end
  if vim.g.ctx_status ~= text then
    changed = text ~= (vim.g.ctx_status or '')
    vim.g.ctx_status = text
  end
  for buffer in pairs(visible()) do
    if session == nil or (session_of[buffer] or focused) == session then
      changed = publish_buffer(buffer) or changed
    end
  end
  if not changed then
    return
  end
  local about = session or focused
  announce('CtxUpdate', { session = about, reading = readings.get(about) })
  if text ~= '' then
    require('ctx.statusline').offer()
  end
  pcall(vim.cmd, 'redrawstatus!')
end

readings.on_change(function(reading)
  finish(reading)
  publish(reading.session)
end)

--- Returns the text for 'statusline', for the buffer that is being drawn.
---@param short? boolean the percentage alone
---@return string
function M.statusline(short)
  local session = reachable and (session_of[api.nvim_get_current_buf()] or focused)
  local made = session and finished[session]
  local instead = not made and meanwhile()
  if instead then
    return (instead:gsub('%%', '%%%%'))
  end
  return made and (short and made.short or made.statusline) or ''
end

--- Handles a progress report of the server.
---@param progress { value: { kind: string?, title: string?, message: string? }? }?
function M.progress(progress)
  local value = type(progress) == 'table' and type(progress.value) == 'table' and progress.value or {}
  local doing = type(value.message) == 'string' and value.message ~= '' and value.message or value.title
  local now = nil
  if value.kind == 'begin' or value.kind == 'report' then
    now = type(doing) == 'string' and 'ctx: ' .. doing:gsub('%c+', ' ') or busy
  end
  if now ~= busy then
    busy = now
    publish()
  end
end

--- Sets whether the server is still searching for sessions.
---@param now boolean
function M.search(now)
  if now ~= searching then
    searching = now
    publish()
  end
end

--- Returns whether the server is still searching for sessions.
---@return boolean
function M.searching()
  return searching
end

---@param buffer? integer
---@return integer
local function number(buffer)
  return (buffer == nil or buffer == 0) and api.nvim_get_current_buf() or buffer
end

---@param buffer? integer
---@return string
function M.text(buffer)
  local session = of_buffer(number(buffer))
  return session and finished[session].text or meanwhile() or ''
end

---@param buffer? integer
---@return ctx.Reading?
function M.reading(buffer)
  return readings.get(of_buffer(number(buffer)))
end

--- Returns the level of the session that a buffer shows, or nil.
---@param buffer? integer
---@return string?
function M.level(buffer)
  local reading = M.reading(buffer)
  return reading and reading.compaction and reading.compaction.level
end

---@return string?
function M.focused()
  return focused
end

--- Focuses a session; nil means none.
---@param session? string
function M.focus(session)
  if focused ~= session then
    focused = session
    publish()
  end
end

--- Assigns a session of its own to a buffer, or removes it.
---@param buffer integer
---@param session? string
function M.tie(buffer, session)
  buffer = number(buffer)
  if session_of[buffer] ~= session then
    session_of[buffer] = session
    if publish_buffer(buffer) then
      announce('CtxUpdate', { session = session, reading = readings.get(session) })
      pcall(vim.cmd, 'redrawstatus!')
    end
  end
end

--- Returns the buffer's own session, or nil.
---@param buffer integer
---@return string?
function M.tied(buffer)
  return session_of[buffer]
end

--- Removes a closed session from every buffer.
---@param session string
function M.untie(session)
  for buffer, of in pairs(session_of) do
    if of == session then
      session_of[buffer] = nil
    end
  end
  finished[session] = nil
  if focused == session then
    focused = nil
  end
  publish()
end

--- Updates the display after a change of the server's state.
function M.server_changed()
  local state = require('ctx.client').server().state
  -- While the server is being restarted, the last value stays.
  local now = state == 'ready' or state == 'starting'
  if now ~= reachable then
    reachable = now
    publish()
  end
end

--- Reports whether a session is shown anywhere in this editor.
---@param session string
---@return boolean
local function shows(session)
  if focused == session then
    return true
  end
  for _, of in pairs(session_of) do
    if of == session then
      return true
    end
  end
  return false
end

local NOTICES = {
  soon = 'compacts soon',
  now = 'is about to compact',
  over = 'compacts now',
}

--- Returns a user-facing name of a session's agent.
---@param session string
---@param reading ctx.Reading?
---@return string
local function label_of(session, reading)
  local name = reading and reading.lines and reading.lines.agent
  if name and name ~= '' then
    return name
  end
  local label = reading and reading.label
  return label and label ~= '' and label or session
end

--- Handles a crossing of a level: announces it, and notifies the user if the options ask for that.
---@param change { session: string, level: string, before: string?, reading: ctx.Reading }
function M.level_changed(change)
  announce('CtxLevel', change)
  if not shows(change.session) then
    return
  end
  if change.crossed ~= 'up' or not require('ctx.config').get().notify[change.level] then
    return
  end
  local reading = change.reading or readings.get(change.session)
  local compaction = reading and reading.compaction
  local notice = change.level == 'over' and require('ctx.view.text').past(compaction) or NOTICES[change.level]
  local text = ('%s %s'):format(label_of(change.session, reading), notice)
  local hint = compaction and compaction.hint and compaction.hint.text or ''
  if compaction and not compaction.threshold and hint ~= '' then -- there is no threshold
    text = ('%s: %s'):format(label_of(change.session, reading), hint)
  end
  local shown = reading and reading.display
  if shown and shown.threshold and shown.threshold ~= '' and shown.threshold ~= '?' then
    text = ('%s (%s%s of %s)'):format(text, shown.mark or '', shown.used, shown.threshold)
  end
  require('ctx.notify').show(text, vim.log.levels.WARN)
end

--- Rebuilds all texts, because the options have changed.
function M.refresh()
  for session in pairs(finished) do
    local reading = readings.get(session)
    if reading then
      finish(reading)
    end
  end
  publish()
  require('ctx.focus').again()
end

--- Rebuilds the texts that depend on time: the age of inactive sessions, and whether their cache is cold.
function M.tick()
  for session in pairs(finished) do
    local reading = readings.get(session)
    local quiet = reading and (reading.activity == 'idle' or reading.activity == 'ended')
    if reading and (quiet or type(reading.cache.back) == 'table') then
      finish(reading)
      publish(session)
    end
  end
end

--- The interval of these updates, in milliseconds.
local AGING = 60000

vim.fn.timer_start(AGING, M.tick, { ['repeat'] = -1 })

local group = api.nvim_create_augroup('ctx_status', {})

api.nvim_create_autocmd({ 'BufWipeout', 'BufDelete' }, {
  group = group,
  callback = function(args)
    session_of[args.buf], published[args.buf] = nil, nil
  end,
})

-- Updates the variables of buffers that become visible.
api.nvim_create_autocmd({ 'BufEnter', 'BufWinEnter' }, {
  group = group,
  callback = function(args)
    if vim.bo[args.buf].buflisted then
      publish_buffer(args.buf)
    end
  end,
})

return M
