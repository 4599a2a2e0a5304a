-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx status`: what fills the window, the line at which it is compacted, and what could be removed. The reading has
--- everything that is printed; this file only computes the lengths of bars.
local text = require('ctx.view.text')
local bar = require('ctx.bar')

local M = {}

local TITLE = 'Context'

--- How many columns the bar at the top has, and the bar of each row.
local WIDTH, ROW = 60, 16

--- How the source of the window's size is described.
local SOURCES = {
  user = 'as you said',
  error = 'as an overflow error said',
  agent = "as the agent's own record says",
  provider = 'as the provider said',
  agentTable = "as the agent's table has it",
  registry = 'as the registry of models has it',
  unknown = 'not known',
}

local number, pad, clip = text.number, text.pad, text.clip

---@param r ctx.Reading
---@return string
local function group(r)
  return require('ctx.highlight').of_level[r.compaction and r.compaction.level or 'ok'] or 'CtxOk'
end

--- The bar of the whole window, with the compaction line in it.
---@param r ctx.Reading
---@return ctx.Chunk[]
local function window_bar(r)
  local drawn, filled = bar.draw(r.percent, WIDTH)
  local line = r.compaction and r.compaction.line
  local chunks = { { ' ' } }
  if not line or not r.limit or r.limit <= 0 or line > r.limit then
    vim.list_extend(chunks, { { drawn:sub(1, filled), group(r) }, { drawn:sub(filled + 1), 'CtxMuted' } })
    return chunks
  end
  local cell = math.min(WIDTH - 1, math.floor(line / r.limit * WIDTH))
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

--- A line with a label in front.
---@param lines ctx.Chunk[][]
---@param label string
---@param value string
---@param hl? string
local function fact(lines, label, value, hl)
  lines[#lines + 1] = { { '   ' .. pad(label, 16), 'CtxMuted' }, { value, hl or 'CtxLabel' } }
end

---@param r ctx.Reading
local function summary(lines, r)
  local who = vim.tbl_filter(function(word)
    return word and word ~= '' and word ~= 'generic'
  end, { r.agent, r.label, r.model })
  lines[#lines + 1] = {
    { ' ' .. clip(#who > 0 and table.concat(who, ' · ') or r.session, WIDTH), 'CtxTitle' },
    { r.pending and '  (a request is outstanding)' or '', 'CtxMuted' },
  }
  if r.workspace and r.workspace ~= '' then
    lines[#lines + 1] = { { ' ' .. clip(vim.fn.fnamemodify(r.workspace, ':~'), WIDTH), 'CtxMuted' } }
  end
  lines[#lines + 1] = {}
  local d = r.display
  local chunks = { { ' ' .. d.mark, group(r) } }
  if r.percent then
    chunks[#chunks + 1] = { d.percent .. '  ', group(r) }
  end
  local unknown = r.unmeasured and '' or ', the window is not known'
  chunks[#chunks + 1] = { d.used .. (r.limit and ' of ' .. d.limit or unknown), 'CtxNumber' }
  if r.limit then
    chunks[#chunks + 1] = { ('  %s free'):format(d.free), 'CtxLabel' }
  end
  chunks[#chunks + 1] = { '  ' .. (r.unmeasured or r.basis), 'CtxMuted' }
  lines[#lines + 1] = chunks
  if r.percent then
    lines[#lines + 1] = window_bar(r)
  end
end

---@param r ctx.Reading
local function compaction(lines, r)
  local c = r.compaction
  if not c then
    return
  end
  heading(lines, 'Compaction')
  if c.line then
    fact(lines, 'the line', number(c.line))
    fact(lines, 'left', ('%s, level %s'):format(number(c.left), c.level), group(r))
  else
    fact(lines, 'the line', 'this session has none that is known')
  end
  local calls, turns = text.range(c.callsLeft), text.range(c.turnsLeft)
  if calls or turns then
    local words = {}
    words[#words + 1] = calls and calls .. ' calls' or nil
    words[#words + 1] = turns and turns .. ' turns' or nil
    fact(lines, 'forecast', 'reached in ' .. table.concat(words, ', '))
  end
  if c.landing then
    fact(lines, 'afterwards', text.range(c.landing) .. ' tokens stay')
  end
  if c.rule and c.rule ~= '' then
    fact(lines, 'rule', c.rule .. (c.since and c.since ~= '' and (', since ' .. c.since) or ''))
  end
  if c.source and c.source ~= '' then
    fact(lines, 'from', clip(c.source, WIDTH - 18))
  end
end

---@param r ctx.Reading
local function breakdown(lines, r)
  if #(r.breakdown or {}) == 0 then
    return
  end
  heading(lines, 'What fills it')
  local width, most = 0, 1
  for _, row in ipairs(r.breakdown) do
    width = math.max(width, vim.fn.strdisplaywidth(row.label or row.kind))
    most = math.max(most, row.deferred and 0 or row.tokens)
  end
  width = math.min(math.max(width, #'reserve'), 32)
  for _, row in ipairs(r.breakdown) do
    local drawn, filled = bar.draw(row.deferred and 0 or row.tokens / most * 100, ROW)
    lines[#lines + 1] = {
      { '   ' .. pad(clip(row.label or row.kind, width), width), 'CtxLabel' },
      { pad(text.mark(row.basis) .. number(row.tokens), 12, true), 'CtxNumber' },
      { ' ' .. drawn:sub(1, filled), 'CtxLine' },
      { row.deferred and ' loaded when needed, not counted' or '', 'CtxMuted' },
    }
  end
  -- Used, free and reserve are the window; the buffer is a part of it.
  local function sum(label, tokens, note)
    if tokens then
      lines[#lines + 1] = {
        { '   ' .. pad(label, width), 'CtxMuted' },
        { pad((label == 'used' and r.display.mark or '') .. number(tokens), 12, true), 'CtxNumber' },
        { note and ' ' .. note or '', 'CtxMuted' },
      }
    end
  end
  sum('used', r.used)
  if r.limit then
    sum('free', r.free)
    sum('reserve', r.reserve, 'kept for the answer')
    sum('window', r.limit, 'used, free and reserve together')
    sum('buffer', r.compaction and r.compaction.buffer, 'between compaction and the limit')
  end
  if r.leaving and r.leaving.tokens and r.leaving.tokens > 0 then
    for _, reason in ipairs(r.leaving.reasons or {}) do
      lines[#lines + 1] = {
        { '   ' .. pad('leaves', width), 'CtxMuted' },
        { pad(number(reason.tokens), 12, true), 'CtxNumber' },
        { ' ' .. clip(reason.reason, 36), 'CtxMuted' },
      }
    end
  end
end

--- The section with the largest things of the conversation: files, commands, tools of servers.
---@param r ctx.Reading
local function largest(lines, r)
  if #(r.largest or {}) == 0 then
    return
  end
  heading(lines, 'Largest in the conversation')
  for _, item in ipairs(r.largest) do
    local times = item.times > 1 and (' ×%d'):format(item.times) or ''
    lines[#lines + 1] = {
      { '   ' .. pad(clip(item.label, 44) .. times, 48), 'CtxLabel' },
      { pad(text.mark(item.basis) .. number(item.tokens), 10, true), 'CtxNumber' },
    }
  end
end

--- The section that says what the tools of each MCP server occupy, in the daemon's words.
---@param r ctx.Reading
local function servers(lines, r)
  if #(r.mcpServers or {}) == 0 then
    return
  end
  heading(lines, 'MCP servers')
  for _, server in ipairs(r.mcpServers) do
    local line = '  '
    for word in server.text:gmatch('%S+') do
      if #line + #word > WIDTH - 4 then
        lines[#lines + 1] = { { line, 'CtxLabel' } }
        line = '    '
      end
      line = line .. ' ' .. word
    end
    lines[#lines + 1] = { { line, 'CtxLabel' } }
  end
end

---@param r ctx.Reading
local function advice(lines, r)
  if #(r.advice or {}) == 0 then
    return
  end
  heading(lines, 'What could go')
  for _, hint in ipairs(r.advice) do
    lines[#lines + 1] = {
      { '   ' .. pad(number(hint.tokens), 10, true), 'CtxNumber' },
      { '  ' .. clip(hint.label, 44), 'CtxLabel' },
      { hint.how and hint.how ~= '' and ('  ' .. clip(hint.how, 24)) or '', 'CtxLine' },
      { hint.breaksCache and '  breaks the cache' or '', 'CtxMuted' },
    }
  end
end

---@param children? ctx.Brief[]
---@param depth integer
local function children(lines, list, depth)
  for _, child in ipairs(list or {}) do
    local name = child.label and child.label ~= '' and child.label or child.session
    local d = child.display
    lines[#lines + 1] = {
      { '   ' .. ('  '):rep(depth) .. clip(name, 32), 'CtxLabel' },
      { '  ' .. d.mark .. d.used .. (child.limit and ' of ' .. d.limit or ''), 'CtxNumber' },
      { child.percent and '  ' .. d.percent or '', require('ctx.highlight').of_level[child.level] },
    }
    children(lines, child.children, depth + 1)
  end
end

---@param r ctx.Reading
local function provenance(lines, r)
  heading(lines, 'Where this is from')
  local last = r.lastRequest
  if last then
    fact(lines, 'last input', number(last['in']))
    if last.out then
      local carried = text.mark(last.carryBasis) .. number(last.carry)
      if r.mode == 'provider' then
        fact(lines, 'last output', number(last.out) .. ', which does not count')
      elseif (last.carry or 0) > last.out then
        -- The agent wrote its record before the answer was complete.
        fact(lines, 'last answer', ('%s (the agent recorded %s)'):format(carried, number(last.out)))
      else
        fact(lines, 'last output', ('%s, of which %s stays'):format(number(last.out), carried))
      end
    end
  end
  if r.mode ~= 'provider' and r.new then
    fact(lines, last and 'new since then' or 'new', text.mark(r.new.basis) .. number(r.new.tokens))
  end
  if r.agentPercent and r.agentPercent.value then
    fact(
      lines,
      r.agent ~= '' and r.agent or 'the agent',
      ('%s, %s'):format(text.percent(r.agentPercent.value), r.agentPercent.label or '')
    )
  end
  fact(lines, 'window', SOURCES[r.limitSource] or r.limitSource)
  if r.file and r.file ~= '' then
    fact(lines, 'transcript', clip(vim.fn.fnamemodify(r.file, ':~'), WIDTH - 6))
  end
  if r.low and r.high and r.low ~= r.high then
    fact(lines, 'between', ('%s and %s'):format(number(r.low), number(r.high)))
  end
  local a = r.accuracy
  if a and a.last then
    local cause = a.last.cause and a.last.cause ~= '' and (': ' .. a.last.cause) or ''
    fact(
      lines,
      'last prediction',
      ('%s, was %s%s'):format(number(a.last.predicted), number(a.last.actual), clip(cause, 40))
    )
    local percent = (a.last.percent > 0 and '+' or '') .. text.percent(a.last.percent)
    fact(lines, 'last error', ('%s (%s), ratio %.14g'):format(text.signed(a.last.error), percent, a.ratio))
  end
  if a and a.medianTokens then
    fact(lines, 'error', ('median %s, 95 %% below %s tokens'):format(number(a.medianTokens), number(a.p95Tokens)))
  end
  if r.compactions and r.compactions > 0 then
    fact(lines, 'compacted', text.times(r.compactions))
  end
  if r.spent and r.spent.calls and r.spent.calls > 0 then
    fact(
      lines,
      'spent',
      ('%s in, %s out in %s calls'):format(number(r.spent['in']), number(r.spent.out), number(r.spent.calls))
    )
  end
end

--- The lines for a reading.
---@param r ctx.Reading
---@return ctx.Chunk[][]
function M.lines(r)
  local lines = {}
  summary(lines, r)
  compaction(lines, r)
  breakdown(lines, r)
  largest(lines, r)
  servers(lines, r)
  advice(lines, r)
  if #(r.children or {}) > 0 then
    heading(lines, 'Sub-agents')
    children(lines, r.children, 0)
  end
  provenance(lines, r)
  if #(r.warnings or {}) > 0 then
    heading(lines, 'Warnings')
    for _, warning in ipairs(r.warnings) do
      lines[#lines + 1] = { { '   ' .. clip(warning, 72), 'CtxSoon' } }
    end
  end
  return lines
end

--- Opens the window for the session that the current buffer shows. While it is open, it follows that session.
function M.open()
  local server = require('ctx.client').server()
  local reading = require('ctx.status').reading()
  local window = require('ctx.view.window')
  if not reading then
    local why = server.problem
      or ('no agent works in %s; :Ctx sessions has the others'):format(
        vim.fn.fnamemodify(require('ctx.client').cwd(), ':~')
      )
    if server.state == 'stopped' then
      why = 'the server does not run; :Ctx restart starts it'
    elseif server.state == 'starting' then
      why = server.problem or 'the server is starting'
    end
    require('ctx.say').aloud(why, server.state == 'failed' and vim.log.levels.WARN or vim.log.levels.INFO)
    return
  end
  local stop
  stop = require('ctx.readings').on_change(function(changed)
    if changed.session == reading.session and window.is_open(TITLE) then
      window.show(TITLE, M.lines(changed))
    end
  end)
  window.show(TITLE, M.lines(reading), function()
    stop()
  end)
end

return M
