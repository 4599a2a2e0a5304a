-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx status`: the panel of the session, row by row. The panel contains every text in its order; this file chooses
--- columns and colors.
local text = require('ctx.view.text')
local bar = require('ctx.bar')

local M = {}

local TITLE = 'Context'

--- The maximum width in columns of the bar at the top, and of the bar of each row.
local BAR, ROW = 60, 16

--- How many columns precede the value of a fact.
local INDENT = 15

--- The maximum width of a line in columns. It is that of the widest window, and is set whenever lines are built.
local room = 78

local GROUPS =
  { quiet = 'CtxMuted', strong = 'CtxNumber', soon = 'CtxSoon', now = 'CtxNow', over = 'CtxOver', ok = 'CtxOk' }

local pad, clip, wrap = text.pad, text.clip, text.wrap

--- Returns the rows of a section that the long form has, each with the text of its value now.
---@param section ctx.PanelSection
---@return { row: ctx.PanelRow, label: string, value: string, note: string }[]
local function rows(section)
  local out = {}
  for _, row in ipairs(section.only ~= 'short' and section.rows or {}) do
    local value = text.dated(row)
    if row.only ~= 'short' and value then
      out[#out + 1] = {
        row = row,
        label = row.label and row.label.text or '',
        value = value,
        note = row.note and row.note.text or '',
      }
    end
  end
  return out
end

--- Returns the bar of the whole window, with the compaction threshold in it.
---@param row ctx.PanelRow
---@return ctx.Chunk[]
local function window_bar(row)
  local width = math.min(BAR, room - 2)
  local drawn, filled = bar.draw(row.share, width)
  local line, group = row.mark, GROUPS[row.tone] or 'CtxOk'
  local chunks = { { ' ' } }
  if not line or line > 100 then
    vim.list_extend(chunks, { { drawn:sub(1, filled), group }, { drawn:sub(filled + 1), 'CtxMuted' } })
    return chunks
  end
  local cell = math.min(width - 1, bar.cells(line, width))
  local at = vim.str_byteindex(drawn, cell)
  local after = vim.str_byteindex(drawn, cell + 1)
  local function part(from, to)
    if from > to then
      return
    end
    local edge = math.min(math.max(filled, from - 1), to)
    vim.list_extend(chunks, { { drawn:sub(from, edge), group }, { drawn:sub(edge + 1, to), 'CtxMuted' } })
  end
  part(1, at)
  chunks[#chunks + 1] = { '┃', 'CtxLine' }
  part(after + 1, #drawn)
  return chunks
end

---@param lines ctx.Chunk[][]
---@param title string
local function heading(lines, title)
  lines[#lines + 1] = {}
  lines[#lines + 1] = { { ' ' .. title, 'CtxTitle' } }
end

--- Adds who the session is: its agent, model and activity, its title and its folder.
---@param section ctx.PanelSection
local function session(lines, section)
  local first, title, folder = {}, nil, nil
  for _, r in ipairs(rows(section)) do
    if r.row.id == 'title' then
      title = r.value
    elseif r.row.id == 'workspace' then
      folder = r.value
    elseif r.row.id ~= 'name' then
      first[#first + 1] = r.value
    end
  end
  lines[#lines + 1] = { { ' ' .. clip(table.concat(first, ' · '), room - 2), 'CtxTitle' } }
  if title then
    lines[#lines + 1] = { { ' ' .. clip(title, room - 2), 'CtxLabel' } }
  end
  if folder then
    lines[#lines + 1] = { { ' ' .. clip(vim.fn.fnamemodify(folder, ':~'), room - 2), 'CtxMuted' } }
  end
end

--- Adds how full the window is, and its bar.
---@param section ctx.PanelSection
local function window(lines, section)
  lines[#lines + 1] = {}
  for _, r in ipairs(rows(section)) do
    local group = GROUPS[r.row.tone] or 'CtxOk'
    if r.row.id == 'usage' then
      lines[#lines + 1] = { { ' ' .. r.value .. '  ', group }, { r.note, 'CtxNumber' } }
      if r.row.share then
        lines[#lines + 1] = window_bar(r.row)
      end
    elseif r.row.id ~= 'full' then
      for _, line in ipairs(wrap(r.value, room - 2)) do
        lines[#lines + 1] = { { ' ' .. line, group } }
      end
    end
  end
end

--- Adds rows with numbers: label, number, and a bar or a note.
local function numbers(lines, list)
  local width, digits = 0, 0
  for _, r in ipairs(list) do
    width = math.max(width, vim.fn.strdisplaywidth(r.label))
    digits = math.max(digits, vim.fn.strdisplaywidth(r.value))
  end
  width = math.min(width, math.max(16, room - ROW - digits - 6))
  local rest = room - width - digits - 6
  for _, r in ipairs(list) do
    local group = GROUPS[r.row.tone]
    local chunks = {
      { '   ' .. pad(clip(r.label, width), width), group or 'CtxLabel' },
      { ' ' .. pad(r.value, digits, true), group or 'CtxNumber' },
    }
    lines[#lines + 1] = chunks
    if r.row.bar then
      local drawn, filled = bar.draw(r.row.bar, math.max(4, math.min(ROW, rest)))
      chunks[#chunks + 1] = { ' ' .. drawn:sub(1, filled), 'CtxLine' }
    elseif r.note ~= '' and vim.fn.strdisplaywidth(r.note) <= rest then
      chunks[#chunks + 1] = { ' ' .. r.note, 'CtxMuted' }
    elseif r.note ~= '' then
      for _, line in ipairs(wrap(r.note, room - 6)) do
        lines[#lines + 1] = { { '     ' .. line, 'CtxMuted' } }
      end
    end
  end
end

--- Adds a label and its value, in as many lines as it needs.
local function fact(lines, r)
  local indent = '   ' .. ('  '):rep(r.row.depth or 0)
  for i, part in ipairs(wrap(vim.trim(r.value .. ' ' .. r.note), room - INDENT - 1)) do
    local label = clip(indent .. (i == 1 and r.label or ''), INDENT - 1)
    lines[#lines + 1] = { { pad(label, INDENT), 'CtxMuted' }, { part, GROUPS[r.row.tone] or 'CtxLabel' } }
  end
end

--- Adds the lines of one of the plugin's own sections.
local function paragraph(lines, title, sentence)
  heading(lines, title)
  for _, line in ipairs(wrap(sentence, room - 4)) do
    lines[#lines + 1] = { { '   ' .. line, 'CtxLabel' } }
  end
end

--- Returns the lines for a reading with its panel.
---@param r ctx.Reading
---@param setup? string a sentence about changes of the fixed context in its workspace
---@param offered? string a vocabulary that would make its counts exact
---@return ctx.Chunk[][]
function M.lines(r, setup, offered)
  room = require('ctx.view.window').room()
  local lines = {}
  for _, section in ipairs(r.panel and r.panel.sections or {}) do
    local list = rows(section)
    if section.id == 'session' then
      session(lines, section)
    elseif section.id == 'window' then
      window(lines, section)
      for _, line in ipairs(offered and wrap(offered, room - 2) or {}) do
        lines[#lines + 1] = { { ' ' .. line, 'CtxMuted' } }
      end
    elseif #list > 0 then
      heading(lines, section.title.text)
      if list[1].row.share or section.id == 'contents' then
        numbers(lines, list)
      else
        for _, fact_of in ipairs(list) do
          fact(lines, fact_of)
        end
      end
    end
  end
  if setup then
    paragraph(lines, 'Fixed context over time', setup)
  end
  return lines
end

--- For how many milliseconds after its last change a session that is not shown yet is called new.
local READ_WITHIN = 5 * 60 * 1000

--- Calls back with a sentence about why no session is shown here. It mentions unread sessions.
---@param done fun(sentence: string)
function M.why_none(done)
  local cwd = require('ctx.client').cwd()
  local here = vim.fn.fnamemodify(cwd, ':~')
  if require('ctx.status').searching() then
    return done('still searching for agent sessions')
  end
  local params = { workspace = cwd ~= '' and cwd or nil, limit = 1 }
  ---@param answer? ctx.EarlierAnswer
  require('ctx.client').request('ctx/earlier', params, function(_, answer)
    local newest = answer and answer.sessions[1]
    if newest and require('ctx.warmth').now() - newest.modified < READ_WITHIN then
      return done(('a new agent session in %s is being read'):format(here))
    elseif newest then
      local age = require('ctx.view.text').age(newest.modified)
      return done(('the newest agent session in %s is %s old; :Ctx sessions lists it'):format(here, age))
    end
    done(('no agent session in %s; :Ctx sessions lists those elsewhere'):format(here))
  end)
end

--- Shows why no session is shown here.
function M.show_why_none()
  local server = require('ctx.client').server()
  local why = server.problem
  if server.state == 'stopped' then
    why = 'the server is not running; start it with :Ctx restart'
  elseif server.state == 'starting' then
    why = server.problem or 'the server is starting'
  end
  if why then
    require('ctx.notify').show(why, server.state == 'failed' and vim.log.levels.WARN or vim.log.levels.INFO)
  else
    M.why_none(function(sentence)
      require('ctx.notify').show(sentence)
    end)
  end
end

--- Opens the window for the session that the current buffer shows. While it is open, it follows that session.
function M.open()
  local client = require('ctx.client')
  local reading = require('ctx.status').reading()
  local float = require('ctx.view.window')
  if not reading then
    return M.show_why_none()
  end
  local setup, shown ---@type string?, ctx.Reading?
  local offered = require('ctx.offer').sentence((require('ctx.status').reading() or {}).model)
  local stop, resized, open = nil, nil, true
  local function close()
    open = false
    stop()
    vim.api.nvim_del_autocmd(resized)
  end
  local function draw()
    if shown and open then
      float.show(TITLE, M.lines(shown, setup, offered), close)
    end
  end
  --- Requests the reading with its panel. The requests of changes that follow each other are answered in order.
  local function look()
    client.request('ctx/session/reading', { id = reading.session, panel = true }, function(problem, answer)
      if problem and not shown then
        require('ctx.notify').show(problem, vim.log.levels.WARN)
      elseif not problem and (not shown or float.is_open(TITLE)) then
        shown = answer
        draw()
      end
    end)
  end
  resized = vim.api.nvim_create_autocmd('VimResized', { callback = draw })
  stop = require('ctx.readings').on_change(function(changed)
    if changed.session == reading.session and float.is_open(TITLE) then
      look()
    end
  end)
  look()
  if (reading.workspace or '') ~= '' then
    local params = { workspace = reading.workspace, agent = reading.agent }
    ---@param answer ctx.FirstAnswer
    client.request('ctx/first', params, function(problem, answer)
      local first = not problem and open and answer.agents[1]
      if first and type(first.change) == 'table' then -- a single session cannot be compared
        setup = first.sentence
        draw()
      end
    end)
  end
end

return M
