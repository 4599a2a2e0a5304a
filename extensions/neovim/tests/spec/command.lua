-- Copyright The ctx-lsp authors. MIT licence.

-- `:Ctx` with every subcommand, against the stand-in.
local editor = require('editor')
local readings = require('fixtures.readings')
local recorded = require('fixtures.recorded')
local terminal = require('terminal')
local MiniTest = require('mini.test')
local eq = MiniTest.expect.equality

local T = editor.set()

local function start(opts)
  local e = editor.open(vim.tbl_extend('force', { bin = editor.standin() }, opts or {}))
  e:wait_ready()
  return e
end

local function shown(reading, opts)
  local e = start(opts)
  e:ask('test/put', { reading = reading or readings.quarter() })
  e:wait_for("(vim.g.ctx_status or '') ~= ''")
  return e
end

--- The lines of the floating window.
local function float(e)
  e:wait_for("vim.bo.filetype == 'ctx'", 'the window is open')
  return e:get('vim.api.nvim_buf_get_lines(0, 0, -1, false)')
end

--- The screen stored in tests/screens; CTX_TEST_UPDATE=1 writes it.
local function expect_screen(name, lines)
  local path = editor.root .. '/tests/screens/' .. name .. '.txt'
  if vim.env.CTX_TEST_UPDATE then
    editor.write(path, table.concat(lines, '\n') .. '\n')
  end
  local kept = vim.split(table.concat(vim.fn.readfile(path), '\n'), '\n', { plain = true })
  eq(lines, kept)
end

T['status shows the whole reading'] = function()
  local e = shown()
  e:lua("vim.cmd('Ctx')")
  local lines = float(e)
  expect_screen('status', lines)
  for _, line in ipairs(lines) do
    eq(vim.fn.strdisplaywidth(line) <= 78, true)
  end
end

T['status on a screen'] = function()
  local term = terminal.open({
    bin = editor.standin(),
    height = 50,
    init = [[
      vim.o.laststatus = 0
      require('ctx.client').when_ready(function()
        vim.defer_fn(function()
          require('ctx').request('test/put', { reading = vim.json.decode(vim.env.CTX_TEST_READING) })
        end, 100)
      end)]],
    env = { CTX_TEST_READING = vim.json.encode(readings.quarter()) },
  })
  editor.wait(function()
    term:keys(':Ctx', 'Enter')
    vim.loop.sleep(200)
    return table.concat(term:screen(), '\n'):find('Sources of the numbers', 1, true)
  end, 'the window is open')
  local screen = term:screen()
  -- The last line is where commands are typed. Titles of windows came with 0.9.
  expect_screen('screen-status' .. (editor.version.minor < 9 and '-0.7' or ''), vim.list_slice(screen, 1, 49))
end

T['status follows the session while it is open'] = function()
  local e = shown()
  e:lua("vim.cmd('Ctx status')")
  float(e)
  e:ask('test/put', { reading = readings.quarter({ display = { percent = '61%' } }) })
  e:wait_for("vim.fn.search('61%') > 0", 'the window follows')
  e.child.type_keys('q')
  eq(e:get('vim.bo.filetype'), '')
  eq(e:get('#vim.api.nvim_list_wins()'), 1)
  -- A change after it was closed opens nothing.
  e:ask('test/put', { reading = readings.quarter({ display = { percent = '62%' } }) })
  e:wait_status('ctx ~62% · 114.9k to compact')
  eq(e:get('#vim.api.nvim_list_wins()'), 1)
end

T['status gives a reason for an empty list'] = function()
  local e = start()
  e:lua("vim.cmd('Ctx status')")
  e:wait_for('#_G.notices == 1', 'it is shown')
  eq(
    e:notices()[1],
    ('ctx: no agent session in %s; :Ctx sessions lists those elsewhere'):format(
      e:get("vim.fn.fnamemodify(vim.fn.getcwd(), ':~')")
    )
  )
end

T['status of a session about which little is known'] = function()
  local r = readings.quarter({
    limitSource = 'unknown',
    display = vim.tbl_extend('force', readings.display('?', '52.1k', '?'), { mark = '?' }),
    basis = 'unknown',
  })
  r.limit, r.percent, r.free, r.lastRequest, r.accuracy, r.agentOwn = nil, nil, nil, nil, nil, nil
  r.compaction = { rule = 'none', level = 'ok', advised = false }
  r.breakdown, r.advice, r.children, r.leaving = {}, {}, {}, { tokens = 0, reasons = {} }
  r.warnings = { { text = 'two records could not be read' } }
  local e = shown(r)
  e:lua("vim.cmd('Ctx status')")
  expect_screen('status-unknown', float(e))
end

--- Lines of a list without the gaps of their columns.
local function words(lines)
  return vim.tbl_map(function(line)
    return vim.trim((line:gsub('%s%s+', '  ')))
  end, lines)
end

T['sessions lists all of this machine, and focus takes any of them'] = function()
  local e = shown()
  local now = recorded.now() * 1000
  local function session(id, hours, more)
    return vim.tbl_extend('force', {
      session = id,
      agent = 'codex',
      title = '',
      workspace = '/home/ada/engine',
      modified = now - hours * 3600000,
    }, more or {})
  end
  local list = {
    session(
      '0197aaaa-1',
      2,
      { title = 'Mend the build', host = 'VS Code Agent Host', workspace = '/home/ada/projects/of-the-year/compiler' }
    ),
    session('0197bbbb-2', 3, {
      opening = 'Write the parser',
      glimpse = {
        model = 'gpt-5.5',
        used = 1,
        percent = 42,
        part = true,
        display = { mark = '', percent = '42%', used = '1' },
      },
    }),
  }
  for i = 3, 120 do
    list[i] = session(('0196cccc-%d'):format(i), 24 * i)
  end
  e:ask('test/earlier', { sessions = list })
  e:lua([[
    vim.o.columns = 120
    vim.ui.select = function(items, opts, on_choice)
      _G.offered = vim.tbl_map(opts.format_item, items)
    end
    vim.cmd('Ctx sessions')]])
  e:wait_for('_G.offered ~= nil')
  local offered = e:get('_G.offered')
  eq(#offered, 121)
  eq(words(vim.list_slice(offered, 1, 4)), {
    '~26%  /home/ada/engine  Claude Code  c1  claude-opus-4-6',
    '2h ago  Mend the build  …/compiler  codex  in VS Code Agent Host  0197aaaa',
    '≥42%  3h ago  Write the parser  /home/ada/engine  codex  0197bbbb  gpt-5.5',
    '3d ago  /home/ada/engine  codex  0196cccc',
  })
  for _, line in ipairs(offered) do
    eq(vim.fn.strdisplaywidth(line) <= 112, true)
  end
  -- The title and the folder of each are visible in a narrow editor too.
  e:lua("_G.offered = nil; vim.o.columns = 80; vim.cmd('Ctx sessions')")
  e:wait_for('_G.offered ~= nil')
  eq(words({ e:get('_G.offered[2]') }), { '2h ago  Mend the build  …/compiler  codex  in VS Code A…' })
  local function held(name, id)
    e:ask('test/put', { reading = readings.quarter({ session = id }), focus = 'c1' })
    e:lua("vim.cmd('Ctx focus ' .. ...)", name)
    e:wait_for(("require('ctx.focus').held() == %q"):format(id), name)
  end
  held('0197b', '0197bbbb-2')
  held('mend the', '0197aaaa-1')
  eq(e:notices(), {})
end

T['sessions picks one and holds it'] = function()
  local e = shown()
  e:ask('test/put', {
    reading = readings.quarter({
      session = 'c2',
      agent = 'codex',
      percent = 80.5,
      display = { percent = '81%' },
      compaction = { level = 'soon' },
    }),
    focus = 'c1',
  })
  e:ask('test/put', { reading = readings.quarter({ session = 'c1/a', percent = 3, parent = 'c1' }), focus = 'c1' })
  e:lua([[
    vim.ui.select = function(items, opts, on_choice)
      _G.offered = vim.tbl_map(opts.format_item, items)
      on_choice(items[1], 1)
    end
    vim.cmd('Ctx sessions')]])
  e:wait_for('_G.offered ~= nil')
  eq(words(e:get('_G.offered')), {
    '~81% soon  /home/ada/engine  codex  c2  claude-opus-4-6',
    '~26%  /home/ada/engine  Claude Code  c1  claude-opus-4-6',
    '~26%  /home/ada/engine  Claude Code  c1/a  claude-opus-4-6',
  })
  e:wait_status('ctx ~81% · 114.9k to compact')
  e:lua("_G.offered = nil; vim.cmd('Ctx sessions')")
  e:wait_for('_G.offered ~= nil')
  eq(e:get('_G.offered[1]'), 'follow the editor')
  e:wait_status('ctx ~26% · 114.9k to compact')
end

T['focus holds a session and lets go'] = function()
  local e = shown()
  e:ask('test/put', { reading = readings.quarter({ session = 'c2', display = { percent = '81%' } }), focus = 'c1' })
  eq(e:get("vim.fn.getcompletion('Ctx focus ', 'cmdline')"), { 'c1', 'c2' })
  e:lua("vim.cmd('Ctx focus c2')")
  e:wait_status('ctx ~81% · 114.9k to compact')
  e:lua("vim.cmd('Ctx focus')")
  e:wait_status('ctx ~26% · 114.9k to compact')
end

T['focus accepts the beginning of an id, and explains errors'] = function()
  local e = shown()
  for _, id in ipairs({ 'abc-1', 'abd-2' }) do
    e:ask('test/put', { reading = readings.quarter({ session = id, display = { percent = '81%' } }), focus = 'c1' })
  end
  e:lua("vim.cmd('Ctx focus zzz')")
  e:wait_for('#_G.notices == 1', 'it is shown')
  e:lua("vim.cmd('Ctx focus ab')")
  e:wait_for('#_G.notices == 2', 'it is shown')
  eq(e:notices(), {
    'ctx: no session is called "zzz"; :Ctx sessions lists them',
    'ctx: "ab" matches 2 sessions; :Ctx sessions lists them',
  })
  eq(e:get("require('ctx.focus').held()"), vim.NIL)
  e:lua("vim.cmd('Ctx focus abc')")
  e:wait_status('ctx ~81% · 114.9k to compact')
  eq(e:get("require('ctx.focus').held()"), 'abc-1')
end

T['inactive sessions show for how long'] = function()
  local e = start()
  local line = e:lua([[
    local at = (os.time() - 20 * 3600) * 1000
    local function session(id, more)
      return vim.tbl_extend('force', {
        session = id, agent = 'claude-code', model = 'm', percent = 81, level = 'soon', asOf = at,
        display = { mark = '~', percent = '81%' },
      }, more)
    end
    return vim.tbl_map(function(entry) return entry.line end, require('ctx.view.sessions').entries({
      session('0123456789', { activity = 'idle', title = 'Mend the build', percent = 90 }),
      session('abcdefghij', { activity = 'working', since = (os.time() - 300) * 1000 }),
      session('zyxwvutsrq', { activity = 'waiting', waitingFor = 'prompt', percent = 3 }),
    }))]])
  -- Somebody works at the second and the third, so they come before one that is fuller.
  eq(words(line), {
    '~81% soon  working 5 min  claude-code  abcdefgh  m',
    '~81% soon  waiting for you  claude-code  zyxwvuts  m',
    '~81%  idle 20h  Mend the build  claude-code  01234567  m',
  })
  local text = e:lua([[
    local at = (os.time() - 20 * 3600) * 1000
    return require('ctx.format').text({
      activity = 'idle', asOf = at, cache = {}, display = {}, lines = { status = 'ctx ~81% · idle' },
    })]])
  eq(text, 'ctx ~81% · idle 20h')
end

T['status fits a narrow screen'] = function()
  local e = shown(
    readings.quarter({ warnings = { { text = 'two records could not be read, because they were cut in the middle' } } })
  )
  for _, columns in ipairs({ 40, 60 }) do
    e:lua(("vim.o.columns = %d; vim.cmd('Ctx status')"):format(columns))
    for _, line in ipairs(float(e)) do
      eq(vim.fn.strdisplaywidth(line) <= columns - 4 or line, true)
    end
    -- Nothing is cut but what has a place of its own: the line is in the bar, and reasons are whole.
    local text = table.concat(float(e), '\n')
    for _, part in ipairs({ '┃', 'breaks%s+the%s+prompt%s+cache', 'cut%s+in%s+the%s+middle' }) do
      eq(text:find(part) ~= nil or part, true)
    end
    e:lua("vim.cmd('close')")
  end
end

T['history draws the curve'] = function()
  local e = shown()
  local points = {}
  for i = 1, 90 do
    points[i] = {
      at = 1700000000000 + i,
      call = i,
      used = i < 60 and 20000 + i * 2450 or 40000 + (i - 60) * 2000,
      limit = 200000,
      basis = 'measured',
    }
  end
  e:ask('test/answer', {
    method = 'ctx/session/history',
    result = {
      points = points,
      compactions = { { at = 1, call = 60, before = 164550, after = 40000, trigger = 'auto' } },
      breaks = {
        {
          call = 30,
          cause = 'tools',
          text = { text = 'the tools changed: 91,050 tokens were written to the cache again' },
        },
        { call = 60, cause = 'compaction', text = { text = 'the conversation was compacted: 12,000 tokens' } },
      },
      threshold = 167000,
      limit = 200000,
    },
  })
  e:lua("vim.cmd('Ctx history')")
  expect_screen('history', float(e))
end

T['history fits a narrow screen'] = function()
  local e = shown()
  e:ask('test/answer', {
    method = 'ctx/session/history',
    result = {
      points = { { at = 0, call = 1, used = 100 }, { at = 6e6, call = 2, used = 900 } },
      threshold = 800,
      limit = 1000,
    },
  })
  e:lua("vim.o.columns = 40; vim.cmd('Ctx history')")
  local lines = float(e)
  for _, line in ipairs(lines) do
    eq(vim.fn.strdisplaywidth(line) <= 36 or line, true)
  end
  -- The present is at the right edge, and so is its time.
  eq(lines[14], '           00:00             01:40')
end

T['handover opens the note in a buffer of its own'] = function()
  local e = shown()
  e:ask('test/answer', { method = 'ctx/handover', result = { text = '# Handover: Retries\n\n> Go on.\n', tokens = 9 } })
  e:lua("vim.cmd('Ctx handover 500')")
  e:wait_for("vim.bo.filetype == 'markdown'", 'the note is open')
  eq(e:get('vim.api.nvim_buf_get_lines(0, 0, -1, false)'), { '# Handover: Retries', '', '> Go on.' })
  eq(e:get('vim.bo.buftype'), 'nofile')
  eq(e:get('vim.bo.modified'), false)
end

T['forgot lists the effects of a compaction'] = function()
  local e = shown()
  local function item(state, label, excerpt, tokens)
    return { kind = 'user', label = label, excerpt = excerpt, tokens = tokens, state = state, names = 0, found = 0 }
  end
  e:ask('test/answer', {
    method = 'ctx/forgot',
    result = {
      compaction = 2,
      compactions = 2,
      text = '9 tokens in 1 item dropped.',
      summaryTells = true,
      largest = { { kind = 'user', label = 'User', excerpt = 'Old words', tokens = 9, items = 2 } },
      more = { items = 60, tokens = 4000 },
      summary = 'Short.',
      items = { item('gone', 'User', 'Old words', 9), item('inSummary', 'Read src/a.go', '', 1200) },
    },
  })
  e:lua("vim.cmd('Ctx forgot')")
  e:wait_for("vim.bo.filetype == 'markdown'", 'the list is open')
  eq(e:get('vim.api.nvim_buf_get_lines(0, 0, -1, false)'), {
    'Compaction 2 of 2: 9 tokens in 1 item dropped.',
    '',
    '        9  User: Old words ×2',
    '    4,000  and 60 more',
    '',
    'All items:',
    '',
    'dropped                9  User: Old words',
    'in the summary     1,200  Read src/a.go',
    '',
    'Summary:',
    '',
    'Short.',
  })
end

T['fits asks about the buffer as it would be saved, the lines of a range, or a file as it is'] = function()
  local e = shown()
  e:ask('test/answer', { method = 'ctx/session/fits', result = { text = '9 → 31% of the threshold' } })
  e:lua('_G.messages = {}; vim.notify = function(m) table.insert(_G.messages, m) end')
  e:lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'one', 'two', 'three' })")
  e:lua("vim.cmd('2,3Ctx fits')")
  e:wait_for('#_G.messages > 0', 'the answer')
  eq(e:get('_G.messages[1]'):find('9 → 31%% of the threshold') ~= nil, true)
  e:lua("vim.cmd('Ctx fits')")
  local file = e:get('vim.fn.tempname()')
  editor.write(file, 'one\n')
  e:lua(("vim.cmd('Ctx fits %s')"):format(file))
  e:wait_for('#_G.messages > 2', 'all answers')
  local texts = {}
  for _, call in ipairs(e:ask('test/calls').calls) do
    if call.method == 'ctx/session/fits' then
      texts[#texts + 1] = call.params.parts[1].text
    end
  end
  eq(texts, { 'two\nthree', 'one\ntwo\nthree\n', 'one\n' })
end

T['fits asks about the files of a directory'] = function()
  local e = shown()
  e:ask('test/answer', { method = 'ctx/session/fits', result = { text = '9 → 31% of the threshold' } })
  e:lua('_G.messages = {}; vim.notify = function(m) table.insert(_G.messages, m) end')
  local folder = e:get('vim.fn.tempname()')
  editor.write(folder .. '/a/one.txt', 'one\n')
  editor.write(folder .. '/two.bin', 'two\n')
  e:lua(("local f = io.open(%q, 'wb'); f:write('t\\0wo'); f:close()"):format(folder .. '/two.bin'))
  e:lua(("vim.cmd('Ctx fits %s/')"):format(folder))
  e:wait_for('#_G.messages > 0', 'the answer')
  eq(e:get('_G.messages[1]'):find('9 → 31%% of the threshold') ~= nil, true)
  for _, call in ipairs(e:ask('test/calls').calls) do
    if call.method == 'ctx/session/fits' then
      eq(call.params.parts, { { label = folder .. '/a/one.txt', text = 'one\n' } })
    end
  end
end

T['a message that is cut keeps its reason'] = function()
  local e = shown()
  local path = '/home/ada/.claude/projects/-home-ada-shop/0197f1c2-0000-7000-8000-000000000001.jsonl'
  local text = e:get(("require('ctx.notify').fit('ctx: %s: it was never compacted', 80)"):format(path))
  eq(text:find(': it was never compacted… :Ctx log', 1, true) ~= nil, true)
  eq(vim.fn.strdisplaywidth(text) <= 80, true)
end

T['history of a session without requests'] = function()
  local e = shown()
  e:ask('test/answer', { method = 'ctx/session/history', result = { points = vim.empty_dict(), compactions = {} } })
  e:lua("vim.cmd('Ctx history')")
  eq(float(e), { ' No request has been measured yet.' })
end

T['completes its subcommands'] = function()
  local e = start()
  eq(e:get("vim.fn.getcompletion('Ctx ', 'cmdline')"), {
    'fetch',
    'fits',
    'focus',
    'forgot',
    'handover',
    'health',
    'history',
    'log',
    'restart',
    'sees',
    'sessions',
    'status',
  })
  eq(e:get("vim.fn.getcompletion('Ctx s', 'cmdline')"), { 'sees', 'sessions', 'status' })
  e:lua("vim.cmd('Ctx statsu')")
  eq(e:notices(), {
    'ctx: "statsu" is not a subcommand; :Ctx <Tab> lists them',
  })
end

T['has maps and takes no keys'] = function()
  local e = start()
  for _, name in ipairs({ 'status', 'sessions', 'history', 'focus' }) do
    eq(e:get(("vim.fn.maparg('<Plug>(ctx-%s)', 'n')"):format(name)), ('<Cmd>Ctx %s<CR>'):format(name))
  end
  eq(
    e:get(
      "#vim.tbl_filter(function(m) return (m.rhs or ''):find('Ctx') and not m.lhs:find('Plug') end, vim.api.nvim_get_keymap('n'))"
    ),
    0
  )
end

T['log shows recent events'] = function()
  local e = start()
  e:lua("vim.cmd('Ctx log')")
  local text = table.concat(float(e), '\n')
  for _, part in ipairs({ 'server    ready', 'version   9.9.9', '/ctx-lsp serve', 'server starting' }) do
    eq(text:find(part, 1, true) ~= nil, true)
  end
end

T['restart starts the server afresh'] = function()
  local e = shown()
  local id = e:get("require('ctx.client').server().id")
  e:lua("vim.cmd('Ctx restart')")
  e:wait_ready()
  e:wait_for(("require('ctx.client').server().id ~= %d"):format(id))
  eq(e:get("require('ctx.client').server().restarts"), 0)
end

T['a vocabulary is offered once, in the window of :Ctx, and fetched on request'] = function()
  local e = shown()
  e:ask('test/answer', { method = 'ctx/vocabulary', result = vim.empty_dict() })
  local function offer(model)
    e:ask('test/notify', { method = 'ctx/offer', params = { name = 'claude', model = model, bytes = 4700000 } })
  end
  offer('a-model-of-another-session')
  e:lua("vim.cmd('Ctx')")
  eq(table.concat(float(e), ' '):find('Exact counts', 1, true), nil)
  e.child.type_keys('q')
  e:ask('test/notify', {
    method = 'ctx/offer',
    params = {
      model = readings.quarter().model,
      name = 'claude',
      sentence = 'Exact counts for Claude: 4.7 MB from example.org (license MIT).',
      phrase = { id = 'vocabularyOffer', args = { 'Claude', '4.7 MB', 'example.org', 'MIT' } },
      bytes = 4700000,
      licence = 'MIT',
    },
  })
  e:lua("vim.cmd('Ctx')")
  local text = table.concat(float(e), ' '):gsub('%s+', ' ')
  eq(text:find('Exact counts for Claude need a 4.7 MB vocabulary (MIT). :Ctx fetch claude', 1, true) ~= nil, true)
  e.child.type_keys('q')
  e:lua("vim.cmd('Ctx')")
  eq(table.concat(float(e), ' '):find('Exact counts', 1, true), nil)
  e.child.type_keys('q')
  e:lua("vim.cmd('Ctx fetch claude')")
  local asked = {}
  for _, call in ipairs(e:ask('test/calls').calls) do
    if call.method == 'ctx/vocabulary' then
      asked[#asked + 1] = call.params
    end
  end
  eq(asked, { { name = 'claude', fetch = false }, { name = 'claude', fetch = true } })
  eq(e:notices(), {})
end

return T
