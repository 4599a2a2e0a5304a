-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx sessions`: a list of all sessions on this machine. Active ones come first, the fullest at the top, with
--- sub-agents below their parents; the others follow, the newest first. Unread sessions are listed too, and read when
--- one is picked. The session that the user picks stays focused.
local activity = require('ctx.view.activity')
local readings = require('ctx.readings')
local text = require('ctx.view.text')

local M = {}

---@class (exact) ctx.Pick
---@field session string? nil for following the editor again
---@field line string

--- How many unread sessions are listed; the server lists no more.
local MOST = 500

--- How many times the server may be asked for further previews: each reply reads some of the transcripts.
local ROUNDS = 8

--- The age in seconds beyond which the server makes no previews.
local PREVIEWED = 24 * 3600

--- The maximum width of the columns for activities, folders and titles, and the minimum for titles if there is space.
local STATE, FOLDER, TITLE, LEAST = 16, 20, 40, 24

--- The width of the agent's name and the short id, which a narrow editor shows if titles leave space for them.
local IDENTITY = 24

---@class ctx.PickRow
---@field session string
---@field full string how full the window is, and the level
---@field state string the activity, or how long ago the session was active
---@field title string
---@field folder string
---@field rest string[]

--- Returns the agent's activity and when it started; for an inactive session, how long ago it was last active.
---@param s ctx.ListedSession
---@return string
local function standing(s)
  local words = activity.words(s)
  local age = words ~= '' and text.age(activity.quiet(s) and s.asOf or s.since)
  return age and words .. ' ' .. age or words
end

--- Returns the agent's name for users, from the session's own reading or another one of the same agent.
---@param s { session: string, agent: string }
---@return string
local function agent(s)
  local function named(reading)
    return reading and reading.agent == s.agent and reading.lines and reading.lines.agent or ''
  end
  local name = named(readings.get(s.session))
  for _, session in ipairs(name == '' and readings.names() or {}) do
    name = name ~= '' and name or named(readings.get(session))
  end
  return name ~= '' and name or s.agent ~= 'generic' and s.agent or ''
end

--- Returns a folder in at most `width` columns. Its end is kept, because it contains the name of the project.
---@param path string?
---@param width integer
---@return string
local function folder(path, width)
  local short = vim.fn.fnamemodify(path or '', ':~'):gsub('%c+', ' ')
  if vim.fn.strdisplaywidth(short) <= width then
    return short
  end
  local last = short:match('[^/\\]+$') or short
  return vim.fn.strdisplaywidth(last) + 2 <= width and '…/' .. last or text.clip(last, width)
end

--- Returns the entries of rows, in columns that are as wide as their content.
---@param rows ctx.PickRow[]
---@return ctx.Pick[]
local function columns(rows)
  local wide = { full = 0, state = 0, title = 0, folder = 0 }
  for _, row in ipairs(rows) do
    for name, width in pairs(wide) do
      wide[name] = math.max(width, vim.fn.strdisplaywidth(row[name]))
    end
  end
  local room = math.max(20, vim.o.columns - 8) - wide.full - wide.state - wide.folder - 6
  wide.title = math.min(wide.title, TITLE, math.max(math.min(LEAST, room), room - IDENTITY))
  return vim.tbl_map(function(row)
    local words = {}
    for _, name in ipairs({ 'full', 'state', 'title', 'folder' }) do
      if wide[name] > 0 then
        words[#words + 1] = text.pad(text.clip(row[name], wide[name]), wide[name])
      end
    end
    for _, word in ipairs(row.rest) do
      words[#words + 1] = word ~= '' and word or nil
    end
    return { session = row.session, line = (table.concat(words, '  '):gsub('%s+$', '')) }
  end, rows)
end

--- Returns the row of a session that the server has read.
---@param s ctx.ListedSession
---@param depth integer
---@param held? string
---@return ctx.PickRow
local function read_row(s, depth, held)
  local d = s.display
  local reading = readings.get(s.session) or {}
  local title = s.title and s.title ~= '' and s.title or reading.opening or s.label or ''
  local level = not activity.quiet(s) and s.level ~= 'ok' and s.level and ' ' .. s.level or ''
  return {
    session = s.session,
    full = ('  '):rep(depth) .. d.mark .. (s.percent and d.percent or d.used) .. level,
    state = text.clip(standing(s), STATE),
    title = text.clip(title, TITLE),
    folder = folder(s.workspace, FOLDER),
    rest = {
      agent(s),
      (reading.host or '') ~= '' and 'in ' .. reading.host or '',
      s.session:sub(1, 8),
      s.model or '',
      s.session == held and '(held)' or '',
    },
  }
end

--- Returns the row of an unread session. The preview comes from the end of its transcript.
---@param s ctx.Earlier
---@return ctx.PickRow
local function earlier_row(s)
  local seen = s.glimpse
  local full = ''
  if type(seen) == 'table' then
    full = (seen.part and '≥' or seen.display.mark) .. (seen.percent and seen.display.percent or seen.display.used)
  end
  local age = text.age(s.modified)
  return {
    session = s.session,
    full = full,
    state = age and age .. ' ago' or '',
    title = text.clip(s.title ~= '' and s.title or s.opening or '', TITLE),
    folder = folder(s.workspace, FOLDER),
    rest = {
      agent(s),
      (s.host or '') ~= '' and 'in ' .. s.host or '',
      s.session:sub(1, 8),
      type(seen) == 'table' and seen.model or '',
    },
  }
end

--- Returns the entries of the picker. The pinned session is marked.
---@param sessions ctx.ListedSession[]
---@param held? string
---@param earlier? ctx.Earlier[] those that the server has not read
---@return ctx.Pick[]
function M.entries(sessions, held, earlier)
  local known, under = {}, {}
  for _, s in ipairs(sessions) do
    known[s.session] = true
  end
  for _, s in ipairs(sessions) do
    local parent = s.parent and known[s.parent] and s.parent or ''
    under[parent] = under[parent] or {}
    table.insert(under[parent], s)
  end
  for _, list in pairs(under) do
    table.sort(list, function(a, b)
      if activity.quiet(a) ~= activity.quiet(b) then
        return activity.quiet(b)
      end
      if activity.quiet(a) and (a.asOf or 0) ~= (b.asOf or 0) then
        return (a.asOf or 0) > (b.asOf or 0)
      end
      if (a.percent or -1) ~= (b.percent or -1) then
        return (a.percent or -1) > (b.percent or -1)
      end
      return a.session < b.session
    end)
  end
  local rows = {}
  earlier = earlier or {}
  local next_earlier = 1
  --- Adds the unread sessions that are newer than a time.
  local function add_earlier(than)
    while earlier[next_earlier] and earlier[next_earlier].modified > than do
      local s = earlier[next_earlier]
      next_earlier = next_earlier + 1
      if not known[s.session] then -- it may have been read between the two replies
        rows[#rows + 1] = earlier_row(s)
      end
    end
  end
  local seen = {}
  local function add(parent, depth)
    for _, s in ipairs(under[parent] or {}) do
      if not seen[s.session] then
        seen[s.session] = true
        if depth == 0 and activity.quiet(s) then
          add_earlier(s.asOf or 0)
        end
        rows[#rows + 1] = read_row(s, depth, held)
        add(s.session, depth + 1)
      end
    end
  end
  add('', 0)
  add_earlier(-1)
  local entries = columns(rows)
  if held then
    table.insert(entries, 1, { line = 'follow the editor' })
  end
  return entries
end

--- Calls back with the unread sessions. The request is repeated while the replies contain new previews.
---@param done fun(earlier: ctx.Earlier[], more: boolean)
local function unread(done)
  local round, before = 0, nil
  local function ask()
    require('ctx.client').request('ctx/earlier', { limit = MOST }, function(problem, answer)
      if problem or not answer then
        return done({}, false) -- the server has an older version
      end
      local missing = 0
      for _, s in ipairs(answer.sessions) do
        local young = s.modified > (os.time() - PREVIEWED) * 1000
        missing = missing + (young and type(s.glimpse) ~= 'table' and 1 or 0)
      end
      round = round + 1
      if missing == 0 or missing == before or round >= ROUNDS then
        return done(answer.sessions, answer.more == true)
      end
      before = missing
      ask()
    end)
  end
  ask()
end

--- Calls back with all sessions of this machine: those that the server has read, and the unread ones. The unread ones
--- are requested first, so that a session is not missing if it is read between the two replies.
---@param done fun(problem: string?, read: ctx.ListedSession[], earlier: ctx.Earlier[], more: boolean)
function M.all(done)
  unread(function(earlier, more)
    require('ctx.client').request('ctx/sessions', nil, function(problem, result)
      done(problem, result and result.sessions or {}, earlier, more)
    end)
  end)
end

function M.open()
  M.all(function(problem, sessions, earlier, more)
    if problem then
      return require('ctx.notify').show(problem, vim.log.levels.WARN)
    end
    local focus = require('ctx.focus')
    local entries = M.entries(sessions, focus.held(), earlier)
    if #entries == 0 then
      return require('ctx.notify').show('no agent session was found')
    end
    vim.ui.select(entries, {
      prompt = more and ('Context of (the newest %d)'):format(#entries) or 'Context of',
      kind = 'ctx_session',
      format_item = function(entry)
        return text.clip(entry.line, math.max(20, vim.o.columns - 8))
      end,
    }, function(entry)
      if entry then
        focus.hold(entry.session)
      end
    end)
  end)
end

return M
