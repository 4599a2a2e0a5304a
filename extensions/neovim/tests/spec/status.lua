-- Copyright The ctx-lsp authors. MIT licence.

-- The statusline and the state behind it, against the stand-in.
local editor = require('editor')
local readings = require('fixtures.readings')
local eq = require('mini.test').expect.equality

local T = editor.set()

local function start(opts)
  local e = editor.open(vim.tbl_extend('force', { bin = editor.standin() }, opts or {}))
  e:wait_ready()
  return e
end

T['is there without setup'] = function()
  local e = start()
  eq(e:get('vim.g.ctx_status or ""'), '')
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  eq(e:get("require('ctx').statusline()"), 'ctx ~26%% · 114.9k to compact')
  eq(e:get('vim.b.ctx_status'), 'ctx ~26% · 114.9k to compact')
  eq(e:get('vim.b.ctx_status_dict.used'), 52100)
  eq(e:get('vim.b.ctx_status_dict.compaction.threshold'), 167000)
end

T['colours levels'] = function()
  local e = start()
  for level, group in pairs({ soon = 'CtxSoon', now = 'CtxNow', over = 'CtxOver' }) do
    e:ask('test/put', { reading = readings.at(level, '8' .. #level .. '%', '3k') })
    e:wait_status(('ctx ~8%d%% · 3k to compact'):format(#level))
    eq(e:get("require('ctx').statusline()"), ('%%#%s#ctx ~8%d%%%% · 3k to compact%%*'):format(group, #level))
    eq(e:get(('vim.fn.synIDtrans(vim.fn.hlID(%q)) ~= vim.fn.hlID(%q)'):format(group, group)), true)
  end
end

T['shows state, level, forecast and threshold like all front ends'] = function()
  local e = start()
  local file = vim.fn.fnamemodify(editor.root, ':h:h') .. '/testdata/frontends/learned.json'
  local groups = { ok = 'CtxOk', soon = 'CtxSoon', now = 'CtxNow', over = 'CtxOver' }
  local cases = vim.fn.json_decode(vim.fn.readfile(file))
  eq(#cases >= 5, true)
  for n, case in ipairs(cases) do
    for m, moment in ipairs(case.moments) do
      local shown = e:get(([[(function()
        local case = vim.fn.json_decode(vim.fn.readfile(%q))[%d]
        local now = case.moments[%d].now
        local warmth = require('ctx.warmth')
        local real = warmth.now
        warmth.now = function() return now end
        local shown = {}
        for _, section in ipairs(case.reading.panel.sections) do
          for _, row in ipairs(section.only ~= 'short' and section.rows or {}) do
            if row.only ~= 'short' then
              shown[section.id .. '/' .. row.id] = require('ctx.view.text').dated(row)
            end
          end
        end
        warmth.now = real
        shown.group = require('ctx.highlight').of_level[case.reading.compaction.level]
        return shown
      end)()]]):format(file, n, m))
      eq(shown.group, groups[case.level])
      for _, id in ipairs({
        'session/activity',
        'session/record',
        'window/full',
        'window/usage',
        'window/until',
        'compaction/compaction',
        'compaction/sum',
        'cache/back',
        'cache/compactNow',
      }) do
        local want = moment.shows[id]
        local value = shown[id]
        if want and want:find('{time}', 1, true) then
          local before, after = want:match('^(.-){time}(.*)$')
          if value and vim.startswith(value, before) and vim.endswith(value, after) then
            value = want
          end
        end
        eq({ case.name, moment.now, id, value }, { case.name, moment.now, id, want })
      end
    end
  end
end

T['announces changes only'] = function()
  local e = start()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  vim.loop.sleep(150)
  e:lua('_G.events = {}')
  e:ask('test/put', { reading = readings.quarter() })
  e:ask('test/put', { reading = readings.quarter() })
  vim.loop.sleep(150)
  eq(e:get('#_G.events'), 0)
  e:ask('test/put', { reading = readings.quarter({ used = 52200 }) })
  e:wait_for('#_G.events == 1', 'one event is announced')
  eq(e:get('_G.events[1].name'), 'CtxUpdate')
  if editor.version.minor >= 8 then
    eq(e:get('_G.events[1].data.reading.used'), 52200)
  end
end

T['a session that was closed elsewhere disappears'] = function()
  local e = start()
  local reading = readings.quarter()
  e:ask('test/put', { reading = reading })
  e:wait_status('ctx ~26% · 114.9k to compact')
  e:lua("require('ctx.status').tie(vim.api.nvim_get_current_buf(), ...)", reading.session)
  -- Sessions that are unknown here, and anything that names none, change nothing.
  for _, params in ipairs({ { session = 'unknown' }, { session = 7 }, { 'c1' } }) do
    e:ask('test/notify', { method = 'ctx/closed', params = params })
  end
  eq(e:get('vim.g.ctx_status'), 'ctx ~26% · 114.9k to compact')
  eq(e:get("require('ctx.readings').names()"), { reading.session })
  e:ask('test/notify', { method = 'ctx/closed', params = { session = reading.session } })
  e:wait_status('')
  eq(e:get("require('ctx').statusline()"), '')
  eq(e:get("require('ctx.readings').names()"), {})
  eq(e:get("require('ctx.status').tied(vim.api.nvim_get_current_buf()) == nil"), true)
  -- A session that is opened again under its name is taken in again.
  e:ask('test/put', { reading = reading })
  e:wait_for("require('ctx.readings').names()[1] == 'c1'", 'the session is back')
  eq(e:notices(), {})
end

T['announces levels once and notifies as the options say'] = function()
  local e = start()
  local over = readings.at('over', '91%', '0')
  e:ask('test/put', { reading = over })
  e:wait_status('ctx ~91% · 0 to compact')
  e:ask(
    'test/notify',
    { method = 'ctx/level', params = { session = 'c1', level = 'over', before = 'ok', crossed = 'up', reading = over } }
  )
  e:wait_for("#vim.tbl_filter(function(ev) return ev.name == 'CtxLevel' end, _G.events) == 1", 'the level is announced')
  eq(e:notices()[1], 'ctx: Claude Code compacts now (~52.1k of 167k)')
  eq(
    e:get("require('ctx.view.text').past({ hint = { text = 'compacts after this turn', id = 'compactsAfter' } })"),
    'compacts after this turn'
  )
  eq(e:get("require('ctx.view.text').past({ hint = { text = 'compacts in ~2 requests' } })"), 'compacts now')
  local soon = readings.at('soon', '80%', '9k')
  e:ask('test/put', { reading = soon })
  e:ask('test/notify', {
    method = 'ctx/level',
    params = { session = 'c1', level = 'soon', before = 'over', crossed = 'down', reading = soon },
  })
  e:wait_status('ctx ~80% · 9k to compact')
  eq(#e:notices(), 1)
end

T['shows that the window is full if nothing compacts'] = function()
  local e = start()
  local full = readings.quarter()
  full.compaction.threshold, full.compaction.left = nil, nil
  full.compaction.level, full.compaction.hint = 'over', { text = 'window full' }
  full.display.percent, full.display.left, full.display.threshold = '100%', '', ''
  e:ask('test/put', { reading = full })
  e:wait_for("(vim.g.ctx_status or ''):find('100', 1, true) ~= nil", 'the session is shown')
  e:ask(
    'test/notify',
    { method = 'ctx/level', params = { session = 'c1', level = 'over', before = 'ok', crossed = 'up', reading = full } }
  )
  e:wait_for("#vim.tbl_filter(function(ev) return ev.name == 'CtxLevel' end, _G.events) == 1", 'the level is announced')
  eq(e:notices()[1], 'ctx: Claude Code: window full')
end

T['an inactive session is muted'] = function()
  local e = start()
  local idle = readings.at('soon', '81%', '5.1k')
  idle.activity = 'idle'
  e:ask('test/put', { reading = idle })
  e:wait_status('ctx ~81% · 5.1k to compact') -- the stand-in's line; the real one says that it is idle
  eq(e:get("require('ctx').statusline()"), '%#CtxMuted#ctx ~81%% · 5.1k to compact%*')
end

T['the cost of returning follows the clock'] = function()
  local e = start()
  local asked, minute = 1790000000000, 60000
  local idle = readings.at('soon', '81%', '5.1k')
  idle.activity, idle.asOf = 'idle', asked
  idle.cache.back = {
    warmUntil = asked + 55 * minute,
    coldFrom = asked + 60 * minute,
    warnFrom = asked + 44 * minute,
    cause = 'time',
    life = 60 * minute,
    anew = 441000,
    display = '441k',
    text = { text = 'the next prompt rewrites 441k to the cache' },
    firstText = { text = 'after /compact, it writes 19k' },
  }
  local cost = 'the next prompt rewrites 441k to the cache; after /compact, it writes 19k.'
  local function from(at, text, more)
    return vim.tbl_extend('force', { from = at, value = { text = text .. cost } }, more or {})
  end
  idle.panel = {
    sections = {
      { id = 'session', title = { text = 'Session' }, rows = { { id = 'name', value = { text = 'engine' } } } },
      {
        id = 'cache',
        title = { text = 'Prompt cache' },
        rows = {
          {
            id = 'verdict',
            label = { text = 'Last time' },
            value = { text = 'Compacted by command at 90,000 tokens.' },
          },
          {
            id = 'back',
            label = { text = 'Cache' },
            dated = {
              from(0, 'may be cold: '),
              from(asked - 5 * minute, 'cold in {time}; then ', { at = asked + 55 * minute, as = 'minutes' }),
              from(asked + 55 * minute + 1, 'may be cold: '),
              from(asked + 60 * minute, 'cold: '),
            },
          },
          { id = 'late', dated = { { from = asked + 90 * minute, value = { text = 'after an hour and a half' } } } },
          {
            id = 'gone',
            dated = { { from = 0, value = { text = 'for an hour' } }, { from = asked + 60 * minute } },
          },
        },
      },
    },
  }
  e:lua("require('ctx.warmth').now = function() return _G.clock end; _G.clock = ...", asked)
  e:ask('test/put', { reading = idle })
  for _, case in ipairs({
    { -180, '', 'may be cold: ' }, -- the clock has jumped back before the last request
    { 0, '', 'cold in 56 min; then ' },
    { 44, ' · cold in 12 min', 'cold in 12 min; then ' },
    { 53, ' · cold in 3 min', 'cold in 3 min; then ' },
    { 57, ' · may be cold', 'may be cold: ' },
    { 60, ' · cold: 441k', 'cold: ' },
    { 12960, ' · cold: 441k', 'cold: ' }, -- the machine slept
  }) do
    e:lua('_G.clock = ...', asked + case[1] * minute)
    e:lua("require('ctx.status').tick()")
    e:wait_status('ctx ~81% · 5.1k to compact' .. case[2])
    e:lua('_G.row = ...', idle.panel.sections[2].rows[2])
    eq(e:get("require('ctx.view.text').dated(_G.row)"), case[3] .. cost)
  end
  e:lua("vim.cmd('Ctx status')")
  e:wait_for('#vim.api.nvim_list_wins() == 2', 'the window is there')
  local shown = e:get([[(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
      end
    end
  end)()]])
  eq(shown:find('Last time   Compacted by command at 90,000 tokens.', 1, true) ~= nil, true)
  eq(shown:find('Cache       cold: the next prompt rewrites 441k', 1, true) ~= nil, true)
  eq(shown:find('after an hour and a half', 1, true) ~= nil, true)
  eq(shown:find('for an hour', 1, true), nil)
  eq(e:notices(), {}) -- never a notification
end

T['leaves room for the names of files'] = function()
  local e = start()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local function drawn(width, current)
    return e:lua(
      [[local width, current = ...
      vim.o.columns = 200
      vim.cmd('only | vnew')
      vim.cmd('vertical resize ' .. width)
      local win = vim.api.nvim_get_current_win()
      if not current then vim.cmd('wincmd w') end
      return vim.api.nvim_eval_statusline(vim.o.statusline, { winid = win }).str]],
      width,
      current
    )
  end
  local function has(line, what)
    return line:find(what, 1, true) ~= nil
  end
  eq(has(drawn(100, true), 'ctx ~26% · 114.9k to compact'), true)
  local narrow = drawn(40, true)
  eq({ has(narrow, '~26%'), has(narrow, 'to compact') }, { true, false })
  eq(has(drawn(20, true), '26%'), false)
  eq(has(drawn(100, false), '26%'), false)
end

T['stays while a floating window is in front'] = function()
  local e = start()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  for _, last in ipairs({ 2, 3 }) do
    -- Two windows beside each other: the one that was left for the floating one goes on showing it, the other does not.
    local lines = e:lua(
      [[
      vim.o.columns, vim.o.laststatus = 200, ...
      vim.cmd('only | vnew')
      local here, beside = vim.api.nvim_get_current_win(), vim.fn.win_getid(vim.fn.winnr('#'))
      vim.cmd('Ctx')
      assert(vim.wait(5000, function() return vim.api.nvim_win_get_config(0).relative ~= '' end))
      local float = vim.api.nvim_get_current_win()
      local function drawn(window)
        return vim.api.nvim_eval_statusline(vim.o.statusline, { winid = window }).str:find('~26%', 1, true) ~= nil
      end
      local shown = { drawn(here), drawn(beside), drawn(float) }
      vim.cmd('close')
      return shown]],
      last
    )
    eq({ last, unpack(lines) }, last == 3 and { 3, true, true, true } or { 2, true, false, false })
  end
end

T['shows the progress of the server while there is no session'] = function()
  local e = start()
  local function progress(value)
    e:ask('test/notify', { method = '$/progress', params = { token = 'ctx-1', value = value } })
  end
  progress({ kind = 'begin', title = 'ctx-lsp', message = 'compiling the engine for this machine, once' })
  e:wait_status('ctx: compiling the engine for this machine, once')
  eq(e:get("require('ctx').statusline()"), 'ctx: compiling the engine for this machine, once')
  e:wait_for('vim.o.statusline:find("require\'ctx.statusline\'.draw()", 1, true) ~= nil', 'the option has the item')
  progress({ kind = 'report', message = '50%' })
  e:wait_status('ctx: 50%')
  eq(e:get("require('ctx').statusline()"), 'ctx: 50%%')
  progress({ kind = 'end' })
  e:wait_status('')
  -- A number is not hidden by it.
  progress({ kind = 'begin', title = 'ctx-lsp', message = 'fetching' })
  e:wait_status('ctx: fetching')
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  progress({ kind = 'report', message = 'fetching more' })
  e:wait_status('ctx ~26% · 114.9k to compact')
  eq(e:notices(), {})
end

T['shows the search while there is no session'] = function()
  local e = start()
  e:ask('test/notify', { method = 'ctx/searched', params = vim.empty_dict() }) -- the answer of ctx/watch came before it
  e:wait_status('')
  e:get("require('ctx.status').search(true)")
  e:wait_status('ctx: searching for sessions')
  eq(e:get("require('ctx').statusline()"), 'ctx: searching for sessions')
  e:ask('test/notify', { method = 'ctx/searched', params = vim.empty_dict() })
  e:wait_status('')
  e:get("require('ctx.status').search(true)")
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  eq(e:notices(), {})
end

T['colours the text at every level where the user wants that'] = function()
  local e = start({ init = "require('ctx').setup({ statusline = { highlight = 'always' } })" })
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  eq(e:get("require('ctx').statusline()"), '%#CtxOk#ctx ~26%% · 114.9k to compact%*')
end

T['a function makes the text here'] = function()
  local e = start({
    init = "require('ctx').setup({ format = function(r) return r.agent .. ' ' .. r.display.used .. '\\n' .. r.display.limit end })",
  })
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('claude-code 52.1k 200k')
end

T['survives a format that fails'] = function()
  local e = start({ init = "require('ctx').setup({ format = function() error('oh') end })" })
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  e:ask('test/put', { reading = readings.quarter({ used = 1 }) })
  e:wait_for('vim.b.ctx_status_dict.used == 1')
  eq(#e:notices(), 1)
end

T['puts itself into an unset statusline'] = function()
  local e = start()
  local before = e:get('vim.o.statusline')
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_for('vim.o.statusline:find("require\'ctx.statusline\'.draw()", 1, true) ~= nil', 'the option has the item')
  eq(before:find('ctx', 1, true), nil)
  local mine = start({ init = "vim.o.statusline = '%f mine'" })
  mine:ask('test/put', { reading = readings.quarter() })
  mine:wait_status('ctx ~26% · 114.9k to compact')
  eq(mine:get('vim.o.statusline'), '%f mine')
end

T['shows tokens where no window is known'] = function()
  local e = start()
  local r = readings.quarter({ limitSource = 'unknown', display = readings.display('?', '52.1k', '?') })
  r.limit, r.percent, r.free, r.compaction =
    vim.NIL, vim.NIL, vim.NIL, { rule = 'none', level = 'ok', threshold = vim.NIL }
  e:ask('test/put', { reading = r })
  e:wait_status('ctx 52.1k')
end

T['a buffer can have a session of its own'] = function()
  local e = start()
  e:ask('test/put', { reading = readings.quarter() })
  e:ask('test/put', { reading = readings.quarter({ session = 'c2', display = { percent = '70%' } }), focus = 'c1' })
  e:wait_status('ctx ~26% · 114.9k to compact')
  e:lua("vim.cmd('new'); require('ctx.status').tie(0, 'c2')")
  eq(e:get('vim.b.ctx_status'), 'ctx ~70% · 114.9k to compact')
  eq(e:get("require('ctx').statusline()"), 'ctx ~70%% · 114.9k to compact')
  -- Each window's statusline is about its own buffer, whichever window is in front.
  eq(
    e:lua([[
      return vim.tbl_map(function(window)
        return vim.api.nvim_eval_statusline("%{%v:lua.require'ctx'.statusline()%}", { winid = window }).str
      end, vim.api.nvim_list_wins())]]),
    { 'ctx ~70% · 114.9k to compact', 'ctx ~26% · 114.9k to compact' }
  )
  e:lua("vim.cmd('wincmd p')")
  eq(e:get("require('ctx').statusline()"), 'ctx ~26%% · 114.9k to compact')
end

return T
