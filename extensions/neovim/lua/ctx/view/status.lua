-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx status`: the content of the window, the compaction threshold, and what you can remove. The reading contains
--- everything that is printed; this file only computes the lengths of bars.
local text = require('ctx.view.text')
local bar = require('ctx.bar')
local activity = require('ctx.view.activity')
local phrases = require('ctx.phrases')

local M = {}

local TITLE = 'Context'

--- The maximum width in columns of the bar at the top, and of the bar of each row.
local BAR, ROW = 60, 16

--- How many columns precede the value of a fact.
local INDENT = 19

--- The maximum width of a line in columns. It is that of the widest window, and is set whenever lines are built.
local room = 78

local number, pad, clip, past = text.number, text.pad, text.clip, text.past

---@param r ctx.Reading
---@return string
local function group(r)
  return require('ctx.highlight').of_level[r.compaction and r.compaction.level or 'ok'] or 'CtxOk'
end

--- Returns the bar of the whole window, with the compaction threshold in it.
---@param r ctx.Reading
---@return ctx.Chunk[]
local function window_bar(r)
  local width = math.min(BAR, room - 2)
  local drawn, filled = bar.draw(r.percent, width)
  local threshold = r.compaction and r.compaction.thresholdShare
  local chunks = { { ' ' } }
  if not threshold or threshold > 100 then
    vim.list_extend(chunks, { { drawn:sub(1, filled), group(r) }, { drawn:sub(filled + 1), 'CtxMuted' } })
    return chunks
  end
  local cell = math.min(width - 1, bar.cells(threshold, width))
  local at = vim.str_byteindex(drawn, cell)
  local after = vim.str_byteindex(drawn, cell + 1)
  local function part(from, to)
    if from > to then
      return
    end
    local edge = math.min(math.max(filled, from - 1), to)
    vim.list_extend(chunks, { { drawn:sub(from, edge), group(r) }, { drawn:sub(edge + 1, to), 'CtxMuted' } })
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

--- Adds a label and its value, in as many lines as it needs.
---@param lines ctx.Chunk[][]
---@param label string
---@param value string
---@param hl? string
local function fact(lines, label, value, hl)
  for i, part in ipairs(text.wrap(value, room - INDENT - 1)) do
    lines[#lines + 1] = { { '   ' .. pad(i == 1 and label or '', INDENT - 3), 'CtxMuted' }, { part, hl or 'CtxLabel' } }
  end
end

--- Returns the agent's activity, and how long an inactive session has been inactive.
---@param r ctx.Reading
---@return string
local function state(r)
  local age = activity.quiet(r) and text.age(r.asOf)
  return activity.words(r) .. (age and (', %s ago'):format(age) or '')
end

--- Returns a user-facing name of the session's agent; empty if there is none.
---@param r ctx.Reading
---@return string
local function agent(r)
  for _, name in ipairs({ r.lines and r.lines.agent or '', r.agent ~= 'generic' and r.agent or '', r.label or '' }) do
    if name ~= '' then
      return name
    end
  end
  return ''
end

---@param words string[]
local function joined(words)
  return table.concat(
    vim.tbl_filter(function(word)
      return word ~= nil and word ~= ''
    end, words),
    ' · '
  )
end

---@param r ctx.Reading
local function summary(lines, r)
  local host = (r.host or '') ~= '' and 'in ' .. r.host or '' -- the program with the session's window
  local who = joined({ agent(r), r.label ~= agent(r) and r.label or '', r.model or '', host })
  local doing = state(r)
  lines[#lines + 1] = {
    { ' ' .. clip(who ~= '' and who or r.session, room - 4 - #doing), 'CtxTitle' },
    { doing ~= '' and ' · ' .. doing or '', 'CtxMuted' },
  }
  local title = r.title and r.title ~= '' and r.title or r.opening
  if title then
    lines[#lines + 1] = { { ' ' .. clip(title, room - 2), 'CtxLabel' } }
  end
  if r.workspace and r.workspace ~= '' then
    lines[#lines + 1] = { { ' ' .. clip(vim.fn.fnamemodify(r.workspace, ':~'), room - 2), 'CtxMuted' } }
  end
  lines[#lines + 1] = {}
  local d, c = r.display, r.compaction
  local chunks = { { ' ' .. d.mark, group(r) } }
  if r.percent then
    chunks[#chunks + 1] = { d.percent .. '  ', group(r) }
  end
  local unknown = r.unmeasured and '' or ', window unknown'
  chunks[#chunks + 1] = { d.used .. (r.limit and ' of ' .. d.limit or unknown), 'CtxNumber' }
  local rest
  if r.unmeasured then
    rest = { r.unmeasured, 'CtxMuted' }
  elseif c and c.left and c.left <= 0 then
    rest = { past(c), group(r) }
  elseif c and c.left then
    rest = { ('%s until it compacts'):format(d.left), 'CtxLabel' }
  elseif r.limit then
    rest = { ('%s free'):format(d.free), 'CtxLabel' }
  end
  local plain = require('ctx.view.window').plain({ chunks })[1]
  lines[#lines + 1] = chunks
  if rest and vim.fn.strdisplaywidth(plain .. rest[1]) + 4 <= room then
    chunks[#chunks + 1] = { ' · ' .. rest[1], rest[2] }
  elseif rest then
    lines[#lines + 1] = { { ' ' .. clip(rest[1], room - 2), rest[2] } }
  end
  if r.percent then
    lines[#lines + 1] = window_bar(r)
  end
end

local STATES = { inForce = 'in force', overruled = 'overruled', withoutEffect = 'without effect' }

--- Adds the sources of the compaction threshold, in order of precedence.
---@param c ctx.Compaction
local function sources(lines, c)
  for i, source in ipairs(c.sources or {}) do
    local value = source.setting ~= '' and (' = ' .. source.value) or ''
    local note = source.note ~= '' and (' (%s)'):format(source.note) or ''
    local gives = source.threshold and number(source.threshold) or '-'
    local standing = STATES[source.state] or source.state
    fact(
      lines,
      i == 1 and 'sources' or '',
      ('%s %s: %s%s%s'):format(gives, standing, source.name, value, note),
      source.state ~= 'inForce' and 'CtxMuted' or nil
    )
  end
end

---@param r ctx.Reading
local function compaction(lines, r)
  local c = r.compaction
  if not c then
    return
  end
  heading(lines, 'Compaction')
  if not c.threshold then
    fact(lines, 'threshold', 'unknown for this session')
  elseif c.left and c.left <= 0 then
    fact(lines, 'threshold', ('past %s: it %s'):format(number(c.threshold), past(c)), group(r))
  else
    local level = c.level ~= 'ok' and ', ' .. c.level or ''
    fact(lines, 'threshold', ('%s · %s left%s'):format(number(c.threshold), number(c.left), level), group(r))
  end
  local calls, turns = text.counted(c.callsLeft, 'request'), text.counted(c.turnsLeft, 'turn')
  if calls or turns then
    local from = c.forecastFrom or ''
    if not c.threshold then
      from = from == '' and 'until the window is full' or 'until the window is full, ' .. from
    end
    fact(lines, 'forecast', joined({ calls or '', turns or '', from }))
  end
  if c.landing then
    fact(lines, 'afterwards', text.range(c.landing) .. ' tokens stay')
  end
  if type(r.verdict) == 'table' and (r.verdict.text or '') ~= '' then
    fact(lines, 'last time', r.verdict.text)
  end
  local cache = require('ctx.warmth').sentence(r)
  if cache then
    fact(lines, 'prompt cache', cache)
  end
  local breaks = require('ctx.warmth').breaks(r)
  if breaks then
    fact(lines, 'cache breaks', breaks)
  end
  if c.rule and c.rule ~= '' then
    fact(lines, 'rule', c.rule .. (c.since and c.since ~= '' and (', since ' .. c.since) or ''))
  end
  if c.source and c.source ~= '' then
    fact(lines, 'from', c.source)
  end
  sources(lines, c)
end

---@param r ctx.Reading
local function breakdown(lines, r)
  if #(r.breakdown or {}) == 0 then
    return
  end
  heading(lines, 'Contents')
  local width = 0
  for _, row in ipairs(r.breakdown) do
    width = math.max(width, vim.fn.strdisplaywidth(row.label or row.kind))
  end
  width = math.min(math.max(width, #'held back'), math.max(16, room - ROW - 17))
  local cells = math.max(4, math.min(ROW, room - width - 17))
  for _, row in ipairs(r.breakdown) do
    local drawn, filled = bar.draw(row.bar, cells)
    lines[#lines + 1] = {
      { '   ' .. pad(clip(row.label or row.kind, width), width), 'CtxLabel' },
      { pad(text.mark(row.basis) .. number(row.tokens), 12, true), 'CtxNumber' },
      { ' ' .. drawn:sub(1, filled), 'CtxLine' },
      { row.deferred and clip(' loaded on demand, not counted', room - width - 16) or '', 'CtxMuted' },
    }
  end
  local function sum(label, tokens, note)
    if tokens then
      lines[#lines + 1] = {
        { '   ' .. pad(label, width), 'CtxMuted' },
        { pad((label == 'used' and r.display.mark or '') .. number(tokens), 12, true), 'CtxNumber' },
        { note and ' ' .. clip(note, room - width - 17) or '', 'CtxMuted' },
      }
    end
  end
  local between = r.low and r.high and r.low ~= r.high and ('%s to %s'):format(number(r.low), number(r.high)) or nil
  sum('used', r.used, between)
  local c = r.compaction
  if r.limit and c and c.threshold and c.left and c.buffer then
    -- The agent holds back the tokens beyond its threshold.
    local passed = c.left <= 0
    sum(
      'left',
      math.max(c.left, 0),
      (passed and 'it ' .. past(c) .. ', at ' or 'until it compacts at ') .. number(c.threshold)
    )
    sum('held back', c.buffer, agent(r) ~= '' and 'by ' .. agent(r) or 'beyond that')
  elseif r.limit then
    sum('free', r.free)
    sum('reserve', r.reserve, 'kept for the answer')
  end
  sum('window', r.limit)
  if r.leaving and r.leaving.tokens and r.leaving.tokens > 0 then
    for _, reason in ipairs(r.leaving.reasons or {}) do
      lines[#lines + 1] = {
        { '   ' .. pad('leaves', width), 'CtxMuted' },
        { pad(number(reason.tokens), 12, true), 'CtxNumber' },
        { ' ' .. clip(reason.reason, room - width - 17), 'CtxMuted' },
      }
    end
  end
end

--- Adds the section with the largest items of the conversation: files, commands, tools of servers.
---@param r ctx.Reading
local function largest(lines, r)
  if #(r.largest or {}) == 0 then
    return
  end
  heading(lines, 'Largest in the conversation')
  local wide = math.min(44, room - 18)
  for _, item in ipairs(r.largest) do
    local times = item.times > 1 and (' ×%d'):format(item.times) or ''
    lines[#lines + 1] = {
      { '   ' .. pad(clip(item.label, wide) .. times, wide + 4), 'CtxLabel' },
      { pad(text.mark(item.basis) .. number(item.tokens), 10, true), 'CtxNumber' },
    }
  end
end

--- Adds the section about the size of each MCP server's tools, in the daemon's words.
---@param r ctx.Reading
local function servers(lines, r)
  if #(r.mcpServers or {}) == 0 then
    return
  end
  heading(lines, 'MCP servers')
  for _, server in ipairs(r.mcpServers) do
    for i, line in ipairs(text.wrap(server.text, room - 6)) do
      lines[#lines + 1] = { { (i == 1 and '   ' or '     ') .. line, 'CtxLabel' } }
    end
  end
end

---@param r ctx.Reading
local function advice(lines, r)
  if #(r.advice or {}) == 0 then
    return
  end
  heading(lines, 'You can remove')
  for _, hint in ipairs(r.advice) do
    local how = joined({
      hint.how or '',
      hint.atMost and 'frees at most this' or '',
      hint.breaksCache and 'breaks the cache' or '',
    })
    local wrapped = text.wrap(hint.label .. (how ~= '' and ': ' .. how or ''), room - 16)
    for i, line in ipairs(wrapped) do
      lines[#lines + 1] = {
        { '   ' .. pad(i == 1 and text.mark(hint.basis) .. number(hint.tokens) or '', 10, true), 'CtxNumber' },
        { '  ' .. line, 'CtxLabel' },
      }
    end
  end
end

---@param children? ctx.Brief[]
---@param depth integer
local function children(lines, list, depth)
  for _, child in ipairs(list or {}) do
    local name = child.label and child.label ~= '' and child.label or child.session
    local d = child.display
    lines[#lines + 1] = {
      { '   ' .. ('  '):rep(depth) .. clip(name, math.min(32, room - 26 - 2 * depth)), 'CtxLabel' },
      { '  ' .. d.mark .. d.used .. (child.limit and ' of ' .. d.limit or ''), 'CtxNumber' },
      { child.percent and '  ' .. d.percent or '', require('ctx.highlight').of_level[child.level] },
    }
    children(lines, child.children, depth + 1)
  end
end

---@param r ctx.Reading
local function provenance(lines, r)
  heading(lines, 'Sources of the numbers')
  local last = r.lastRequest
  if last then
    fact(lines, 'last input', number(last['in']))
    if last.out then
      local carried = text.mark(last.carryBasis) .. number(last.carry)
      if r.mode == 'provider' then
        fact(lines, 'last output', number(last.out) .. ', not included')
      elseif (last.carry or 0) > last.out then
        -- The agent wrote its record before the answer was complete.
        fact(lines, 'last answer', ('%s (the agent recorded %s)'):format(carried, number(last.out)))
      elseif last.carry == last.out then
        fact(lines, 'last answer', carried)
      else
        fact(lines, 'last output', ('%s (%s stays)'):format(number(last.out), carried))
      end
    end
  end
  if r.mode ~= 'provider' and r.new then
    fact(lines, last and 'new since then' or 'new', text.mark(r.new.basis) .. number(r.new.tokens))
  end
  if r.agentPercent and r.agentPercent.value then
    fact(
      lines,
      agent(r) ~= '' and agent(r) or 'the agent',
      ('%s, %s'):format(text.percent(r.agentPercent.value), r.agentPercent.label or '')
    )
  end
  local of_plugin = r.limitSource == 'user' and r.agent == 'generic' and r.label and r.label ~= ''
  local source = phrases['limit' .. r.limitSource:sub(1, 1):upper() .. r.limitSource:sub(2)] or phrases.unknown
  fact(lines, 'window', of_plugin and ('from %s'):format(r.label) or source)
  if r.basis and r.basis ~= '' then
    fact(lines, 'basis', r.basis)
  end
  if r.file and r.file ~= '' then
    fact(lines, 'transcript', vim.fn.fnamemodify(r.file, ':~'))
  end
  local a = r.accuracy
  if a and a.last then
    local cause = a.last.cause and a.last.cause ~= '' and (': ' .. a.last.cause) or ''
    fact(lines, 'last prediction', ('%s, was %s%s'):format(number(a.last.predicted), number(a.last.actual), cause))
    local percent = (a.last.percent > 0 and '+' or '') .. text.percent(a.last.percent)
    fact(lines, 'last error', ('%s (%s), ratio %.14g'):format(text.signed(a.last.error), percent, a.ratio))
  end
  if a and a.medianTokens then
    fact(lines, 'error', ('median %s, 95%% below %s tokens'):format(number(a.medianTokens), number(a.p95Tokens)))
  end
  if r.compactions and r.compactions > 0 then
    fact(lines, 'compacted', text.times(r.compactions))
  end
  if r.spent and r.spent.calls and r.spent.calls > 0 then
    fact(
      lines,
      'spent',
      ('%s in, %s out in %s requests'):format(number(r.spent['in']), number(r.spent.out), number(r.spent.calls))
    )
  end
end

--- Returns the lines for a reading.
---@param r ctx.Reading
---@param setup? string a sentence about changes of the fixed context in its workspace
---@param offered? string a vocabulary that would make its counts exact
---@return ctx.Chunk[][]
function M.lines(r, setup, offered)
  room = require('ctx.view.window').room()
  local lines = {}
  summary(lines, r)
  for _, line in ipairs(offered and text.wrap(offered, room - 2) or {}) do
    lines[#lines + 1] = { { ' ' .. line, 'CtxMuted' } }
  end
  compaction(lines, r)
  breakdown(lines, r)
  largest(lines, r)
  servers(lines, r)
  if setup then
    heading(lines, 'Fixed context over time')
    for _, line in ipairs(text.wrap(setup, room - 4)) do
      lines[#lines + 1] = { { '   ' .. line, 'CtxLabel' } }
    end
  end
  advice(lines, r)
  if #(r.children or {}) > 0 then
    heading(lines, 'Sub-agents')
    children(lines, r.children, 0)
  end
  provenance(lines, r)
  if #(r.warnings or {}) > 0 then
    heading(lines, 'Warnings')
    for _, warning in ipairs(r.warnings) do
      for _, line in ipairs(text.wrap(warning, room - 4)) do
        lines[#lines + 1] = { { '   ' .. line, 'CtxSoon' } }
      end
    end
  end
  return lines
end

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
    if newest then
      local age = require('ctx.view.text').age(newest.modified)
      return done(('the newest agent session in %s is %s old; :Ctx sessions lists it'):format(here, age))
    end
    done(('no agent session in %s; :Ctx sessions lists those elsewhere'):format(here))
  end)
end

--- Opens the window for the session that the current buffer shows. While it is open, it follows that session.
function M.open()
  local server = require('ctx.client').server()
  local reading = require('ctx.status').reading()
  local window = require('ctx.view.window')
  if not reading then
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
    return
  end
  local setup ---@type string?
  local offered = require('ctx.offer').sentence()
  local function draw()
    if window.is_open(TITLE) then
      window.show(TITLE, M.lines(require('ctx.readings').get(reading.session) or reading, setup, offered))
    end
  end
  local resized = vim.api.nvim_create_autocmd('VimResized', { callback = draw })
  local stop
  stop = require('ctx.readings').on_change(function(changed)
    if changed.session == reading.session and window.is_open(TITLE) then
      window.show(TITLE, M.lines(changed, setup, offered))
    end
  end)
  local open = true
  window.show(TITLE, M.lines(reading, nil, offered), function()
    open = false
    stop()
    vim.api.nvim_del_autocmd(resized)
  end)
  if (reading.workspace or '') ~= '' then
    local params = { workspace = reading.workspace, agent = reading.agent }
    ---@param answer ctx.FirstAnswer
    require('ctx.client').request('ctx/first', params, function(problem, answer)
      local first = not problem and open and answer.agents[1]
      if first and type(first.change) == 'table' then -- a single session cannot be compared
        setup = first.sentence
        draw()
      end
    end)
  end
end

return M
