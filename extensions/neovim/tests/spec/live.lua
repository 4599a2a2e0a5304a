-- Copyright The ctx-lsp authors. MIT licence.

-- The whole way, with the real server: a transcript grows on disk, and the editor shows it.
local editor = require('editor')
local recorded = require('fixtures.recorded')
local transcript = require('fixtures.transcript')
local terminal = require('terminal')
local eq = require('mini.test').expect.equality

local T = editor.set()

--- A project in which Claude Code works, and an editor in it.
local function project(opts)
  opts = opts or {}
  local claude, work = opts.claude or editor.folder(), opts.work or editor.folder()
  local t = transcript.new(claude, work, opts.transcript)
  t:user('Read the plan and begin.')
  t:assistant('I have read it.', 0, 20000, 40)
  local e = editor.open({
    cwd = opts.elsewhere or work,
    env = editor.real(claude),
    init = opts.init,
    files = opts.files and opts.files(work) or nil,
  })
  e:wait_ready()
  return e, t, work
end

--- Waits until the statusline says that much of the window is used, and returns how many milliseconds that took.
local function wait_used(e, used)
  local from = vim.loop.hrtime()
  e:wait_for(('(vim.b.ctx_status_dict or {}).used == %d'):format(used), ('%d tokens are shown'):format(used))
  return math.floor((vim.loop.hrtime() - from) / 1e6)
end

T['the statusline follows a session that grows on disk'] = function()
  local e, t = project()
  wait_used(e, 20040)
  eq(e:get('vim.g.ctx_status'), 'ctx 10% · 147k to compact')
  t:user('Go on.')
  t:assistant('Done.', 20000, 10000, 60)
  -- From the write to the statusline; the aim is 300 ms. With CTX_TEST_BENCH it is shown.
  local took = wait_used(e, 30060)
  if vim.env.CTX_TEST_BENCH then
    io.stdout:write(('      %-46s %8d ms  (aim 300 ms)\n'):format('from a write to the statusline', took))
  end
  eq(e:get('vim.b.ctx_status_dict.basis'), 'measured')
  eq(e:get("require('ctx').statusline()"), 'ctx 15%% · 137k to compact')
  -- Until the next request is measured, what came after the last one is estimated.
  t:user(('A long question about many things. '):rep(400))
  e:wait_for("vim.g.ctx_status:find('~', 1, true) ~= nil", 'an estimate is marked')
  eq(e:notices(), {})
end

T['the server makes the text that the user formats, and again when that changes'] = function()
  local e = project({ init = "require('ctx').setup({ format = '{agent} {used}/{limit} {bar}[ {agent_percent}|.]' })" })
  wait_used(e, 20040)
  e:wait_status('Claude Code 20k/200k ▰▱▱▱▱▱▱▱▱▱ 10%')
  e:lua("require('ctx').setup({ format = '{percent_left} left' })")
  e:wait_status('90% left')
  -- An invalid template is reported once, and the default is used.
  e:lua("require('ctx').setup({ format = '{percent} {nothing}' })")
  e:wait_status('ctx 10% · 147k to compact')
  eq(#e:notices(), 1)
  eq(e:notices()[1]:find('has the unknown field {nothing}', 1, true) ~= nil, true)
end

T['provider mode shows a measurement with a decimal, or a reason'] = function()
  local e, t = project({ init = "require('ctx').setup({ mode = 'provider' })" })
  wait_used(e, 20000)
  eq(e:get('vim.g.ctx_status'), 'ctx 10.0% · 147k to compact')
  t:user(('A long question about many things. '):rep(400))
  vim.loop.sleep(500)
  eq(e:get('vim.b.ctx_status_dict.used'), 20000)
  e:lua("_G.own = require('ctx').open({ id = 'own', model = 'claude-opus-4-6', buffer = 0 })")
  e:wait_status('ctx 0.0% · nothing measured yet')
  e:lua("vim.cmd('Ctx status')")
  e:wait_for("vim.fn.search('nothing measured yet') > 0", 'the window says why')
  eq(e:get("vim.fn.search('?') == 0"), true)
  e:lua("vim.cmd('close'); _G.own:usage({ input_tokens = 30000, output_tokens = 50 })")
  e:wait_for('(vim.b.ctx_status_dict or {}).used == 30000', 'the measured number is shown')
  -- In the open session another mode is chosen.
  e:lua("require('ctx').setup({ mode = 'hybrid' })")
  e:wait_for('(vim.b.ctx_status_dict or {}).used == 30050', 'the prediction is shown')
  eq(e:get("vim.b.ctx_status:find('%.0%%') == nil"), true)
end

T['a compaction is an estimate until the next request'] = function()
  local e, t = project()
  t:user('Go on.')
  t:assistant('Done.', 20000, 130000, 60)
  wait_used(e, 150060)
  t:compact(150060, 'What was done so far, in short.')
  e:wait_for('vim.b.ctx_status_dict.compaction.count == 1')
  e:wait_for("vim.g.ctx_status:find('^ctx [~?]') ~= nil", 'the text is marked')
  t:user('Go on.')
  t:assistant('Done.', 0, 31000, 20)
  wait_used(e, 31020)
  eq(e:get('vim.g.ctx_status'):sub(1, 7), 'ctx 16%')
end

T['levels are crossed, announced once, and coloured'] = function()
  local e, t = project()
  wait_used(e, 20040)
  t:user('Go on.')
  t:assistant('Done.', 20000, 149000, 100)
  wait_used(e, 169100)
  local level = e:get('vim.b.ctx_status_dict.compaction.level')
  eq(level == 'now' or level == 'over', true)
  local group = ({ now = 'CtxNow', over = 'CtxOver' })[level]
  eq(vim.startswith(e:get("require('ctx').statusline()"), '%#' .. group .. '#ctx'), true)
  e:wait_for("#vim.tbl_filter(function(ev) return ev.name == 'CtxLevel' end, _G.events) == 1", 'one level is announced')
  eq(#e:notices(), 1)
end

T['the working directory decides'] = function()
  local elsewhere = editor.folder()
  local e, _, work = project({ elsewhere = elsewhere })
  vim.loop.sleep(600)
  eq(e:get("vim.g.ctx_status or ''"), '')
  eq(e:get("require('ctx').statusline()"), '')
  e:lua("vim.cmd('cd ' .. ...)", work)
  wait_used(e, 20040)
  -- A file of that folder identifies it too, wherever the editor is.
  e:lua("vim.cmd('cd ' .. ...)", elsewhere)
  e:wait_for("vim.g.ctx_status == ''", 'nothing works there')
  editor.write(work .. '/main.go', 'package main\n')
  e:lua("vim.cmd('edit ' .. ...)", work .. '/main.go')
  wait_used(e, 20040)
end

T['sessions elsewhere that are newer and larger hide none of this folder'] = function()
  local claude, work, elsewhere = editor.folder(), editor.folder(), editor.folder()
  local here = transcript.new(claude, work)
  here:user('Begin.')
  here:assistant('Yes.', 0, 20000, 40)
  for i = 1, 8 do
    local id = ('%d2222222-2222-4333-8444-555555555555'):format(i)
    local other = transcript.new(claude, elsewhere, { session = id })
    other:user(('word '):rep(700000))
    other:assistant('Yes.', 0, 30000, 40)
  end
  vim.loop.fs_utime(here.path, os.time() - 900, os.time() - 900)
  local e = editor.open({ cwd = work, env = editor.real(claude) })
  e:wait_ready()
  wait_used(e, 20040)
  e:lua([[
    vim.ui.select = function(items) _G.offered = #items end
    vim.cmd('Ctx sessions')]])
  e:wait_for('_G.offered == 9', 'all are listed')
  e:lua("vim.cmd('Ctx focus 12222222')") -- the oldest of those elsewhere, which was not read
  e:wait_for('(vim.b.ctx_status_dict or {}).used == 30040', 'it is shown')
  eq(e:notices(), {})
end

T['a server that is killed is restarted without a message'] = function()
  local e = project()
  wait_used(e, 20040)
  e:lua([[
    _G.before = require('ctx.client').server().id
    for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      vim.loop.kill(child, 'sigkill')
    end]])
  e:wait_for("require('ctx.client').server().restarts == 1", 'the end is noticed')
  e:wait_ready()
  wait_used(e, 20040)
  eq(e:notices(), {})
end

T['the terminal in front decides'] = function()
  if vim.fn.has('linux') == 0 then
    return
  end
  local claude, here, there = editor.folder(), editor.folder(), editor.folder()
  local one = transcript.new(claude, here)
  one:user('Begin.')
  one:assistant('Yes.', 0, 20000, 40)
  local two = transcript.new(claude, there, { session = '99999999-2222-4333-8444-555555555555' })
  two:user('Begin.')
  two:assistant('Yes.', 0, 50000, 10)
  local e = editor.open({ cwd = here, env = editor.real(claude) })
  e:wait_ready()
  wait_used(e, 20040)
  -- An agent that runs in a terminal of this editor, but works somewhere else, and writes down which session it holds.
  local claim = '{"pid":%s,"sessionId":"99999999-2222-4333-8444-555555555555","cwd":"%s","status":"idle"}'
  editor.write(
    there .. '/claude',
    ("#!/bin/sh\nmkdir -p %s/sessions\nprintf '" .. claim .. "' $$ > %s/sessions/$$.json\nsleep 60\n"):format(
      claude,
      '%s',
      there,
      claude
    )
  )
  vim.loop.fs_chmod(there .. '/claude', 493)
  e:lua("vim.cmd('new'); _G.terminal = vim.fn.termopen({ ... .. '/claude' }, { cwd = ... })", there)
  wait_used(e, 50010)
  eq(e:get("require('ctx').statusline():find('25%%', 1, true) ~= nil"), true)
  e:lua("vim.cmd('wincmd p')")
  wait_used(e, 20040)
  e:lua('vim.fn.jobstop(_G.terminal)')
end

T['a folder inside the project is the project, and so is one above it'] = function()
  local claude, root = editor.folder(), editor.folder()
  local work = root .. '/work'
  vim.fn.mkdir(work .. '/deep/inside', 'p')
  local t = transcript.new(claude, work)
  t:user('Begin.')
  t:assistant('Yes.', 0, 20000, 40)
  for _, folder in ipairs({ work .. '/deep/inside', root }) do
    local e = editor.open({ cwd = folder, env = editor.real(claude) })
    e:wait_ready()
    wait_used(e, 20040)
    e:close()
  end
end

T['a working directory that is renamed breaks nothing'] = function()
  local e, t, work = project()
  wait_used(e, 20040)
  assert(vim.loop.fs_rename(work, work .. '-moved'))
  e:lua("vim.cmd('enew'); vim.cmd('new'); vim.cmd('wincmd p')")
  t:user('Go on.')
  t:assistant('Done.', 20000, 10000, 60)
  vim.loop.sleep(500)
  eq(e:get("pcall(require('ctx').statusline)"), true)
  eq(e:notices(), {})
  eq(e:get("require('ctx.client').server().state"), 'ready')
end

T['the server is killed and comes back'] = function()
  local e, t = project()
  wait_used(e, 20040)
  local pid = e:lua([[
    for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      local name = (vim.api.nvim_get_proc(child) or {}).name or ''
      if name:find('ctx%-lsp') then return child end
    end]])
  vim.loop.kill(pid, 9)
  e:wait_for("require('ctx.client').server().restarts == 1", 'the end is noticed')
  -- Meanwhile the last value stays.
  eq(e:get('vim.g.ctx_status'), 'ctx 10% · 147k to compact')
  t:user('Go on.')
  t:assistant('Done.', 20000, 10000, 60)
  e:wait_ready()
  wait_used(e, 30060)
  eq(e:notices(), {})
end

T['a session of a plugin is computed by the server'] = function()
  local e = editor.open({ env = editor.real() })
  e:wait_ready()
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine', model = 'gpt-5.5', provider = 'openai', label = 'a chat', buffer = 0 })
    _G.s:update({ system = 'You are a helpful assistant.' })
    _G.s:append({ kind = 'user', text = 'What is the capital of France?' })]])
  e:wait_for('((_G.s:reading() or {}).used or 0) > 10', 'the text is counted')
  eq(e:get("_G.s:reading().display.mark == '' or _G.s:reading().display.mark == '~'"), true)
  e:lua([[
    _G.s:usage({ prompt_tokens = 5000, completion_tokens = 20, total_tokens = 5020 }, { through = 1 })
    _G.s:draft('And of Spain?')]])
  e:wait_for('(_G.s:reading().lastRequest or {})["in"] == 5000', 'the usage is measured')
  e:wait_for('_G.s:reading().new.tokens > 0', 'the draft is counted')
  eq(e:get('_G.s.problem'), vim.NIL)
  eq(e:get('#vim.b.ctx_status > 0'), true)
end

T['outlives the real server'] = function()
  local e = editor.open({ env = editor.real() })
  e:wait_ready()
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine', model = 'gpt-5.5', provider = 'openai' })
    _G.s:append({ kind = 'user', text = 'What is the capital of France?' })
    _G.s:usage({ prompt_tokens = 5000, completion_tokens = 20, total_tokens = 5020 }, { through = 1 })]])
  e:wait_for('_G.s.ledger ~= nil', 'the ledger is saved')
  e:lua("_G.s:append({ kind = 'user', text = ('More text. '):rep(500) })")
  e:wait_for('_G.s:reading().used > 6000', 'what was added is counted')
  local used = e:get('_G.s:reading().used')
  local pid = e:lua([[
    for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      if ((vim.api.nvim_get_proc(child) or {}).name or ''):find('ctx%-lsp') then return child end
    end]])
  -- The reading of the old server is noted, so that a later one certainly comes from the new server.
  e:lua([[
    local old = vim.deepcopy(_G.s:reading())
    old.used = 1
    require('ctx.readings').put(old)]])
  vim.loop.kill(pid, 9)
  e:wait_for("require('ctx.client').server().restarts == 1")
  e:wait_ready()
  e:wait_for(('(_G.s:reading() or {}).used == %d'):format(used), 'all of it is there again')
end

T['readings have the shape that types.lua declares'] = function()
  local e = project()
  wait_used(e, 20040)
  local declared, class = {}, nil
  for line in io.lines(editor.root .. '/lua/ctx/types.lua') do
    class = line:match('^%-%-%-@class %(exact%) ctx%.(%w+)') or class
    local field = line:match('^%-%-%-@field (%w+)')
    if field then
      declared[class] = declared[class] or {}
      declared[class][field] = true
    end
  end
  local function check(name, value)
    for key in pairs(value) do
      eq(name .. '.' .. key .. (declared[name][key] and '' or ' is not declared'), name .. '.' .. key)
    end
  end
  local reading = e:get('vim.b.ctx_status_dict')
  check('Reading', reading)
  check('Display', reading.display)
  check('Compaction', reading.compaction)
  check('Row', reading.breakdown[1])
  check('LastRequest', reading.lastRequest)
  check('ListedSession', e:ask('ctx/sessions').sessions[1])
  local history = e:ask('ctx/session/history', { id = reading.session })
  check('HistoryAnswer', history)
  check('HistoryPoint', history.points[1])
end

T['the health check lists the agents found'] = function()
  local e = project()
  wait_used(e, 20040)
  e:lua("vim.cmd('checkhealth ctx')")
  e:wait_for("vim.fn.search('claude-code: 1') > 0", 'the agent is listed')
  eq(e:get("vim.fn.search('ERROR') == 0"), true)
end

-- Editors ask ctx/focus; commands look for themselves. Both follow the rule of docs/daemon.md.
T['Neovim, status and sessions name the same session'] = function()
  local claude, root = editor.folder(), editor.folder()
  local here = root .. '/packages/a'
  editor.write(root .. '/.git/HEAD', 'ref: refs/heads/main\n')
  editor.write(here .. '/notes.md', 'Notes.\n')
  local ids = {}
  for i, folder in ipairs({ here, root, root .. '/packages/b' }) do
    ids[i] = ('%d1111111-2222-4333-8444-555555555555'):format(i)
    local t = transcript.new(claude, folder, { session = ids[i] })
    t:user('Begin.')
    t:assistant('Begun.', 0, 20000 + i, 40)
    -- The one started nearest is the only inactive one; the second has changed its directory since.
    local at = os.time() - ({ 5 * 3600, 60, 30 })[i]
    vim.loop.fs_utime(t.path, at, at)
    if i == 1 then
      local name = t.path:sub(#claude + 2)
      recorded.place(claude, { [name] = table.concat(vim.fn.readfile(t.path), '\n') .. '\n' }, 5 * 3600)
    elseif i == 2 then
      t.cwd = root .. '/packages/c'
      t:user('Go there.')
    end
  end
  local e = editor.open({ cwd = here, env = editor.real(claude), files = { here .. '/notes.md' } })
  e:wait_ready()
  e:wait_for('vim.b.ctx_status_dict ~= nil', 'a session is shown')
  vim.loop.sleep(500)
  local function cli(...)
    local result = vim
      .system({ editor.server(), ... }, { cwd = here, env = { HOME = e.home, CLAUDE_CONFIG_DIR = claude } })
      :wait()
    return vim.json.decode(result.stdout)
  end
  local status = cli('status', '--json').session
  local marked = vim.tbl_filter(function(s)
    return s.shown
  end, cli('sessions', '--json').sessions)
  eq({ e:get('vim.b.ctx_status_dict.session'), status, marked[1].session, #marked }, { ids[2], ids[2], ids[2], 1 })
  -- Without a file in front it is the same.
  e:lua("vim.cmd('enew')")
  vim.loop.sleep(500)
  eq(e:get("require('ctx.status').focused()"), ids[2])
end

T['history and sessions come from the server'] = function()
  local e, t = project()
  for i = 1, 5 do
    t:user('Go on.')
    t:assistant('Done.', 10000 + i * 10000, 10000, 50)
  end
  wait_used(e, 70050)
  e:lua("vim.cmd('Ctx history')")
  e:wait_for("vim.bo.filetype == 'ctx'")
  eq(e:get("vim.fn.search('70,000') > 0"), true)
  eq(e:get("vim.fn.search('167,000') > 0"), true)
  e:lua([[
    vim.cmd('close')
    vim.ui.select = function(items, opts) _G.offered = vim.tbl_map(opts.format_item, items) end
    vim.cmd('Ctx sessions')]])
  e:wait_for('_G.offered ~= nil')
  eq(e:get('#_G.offered'), 1)
  local first = e:get('_G.offered[1]')
  local found = first:find('^35%%  waiting for you[ …]+Read the plan and begin%.  .-Claude Code')
  eq(found and 'listed' or first, 'listed')
end

T['the window shows how the setup of the workspace has changed'] = function()
  local claude, work = editor.folder(), editor.folder()
  local before = transcript.new(claude, work, { session = '22222222-0000-4000-8000-000000000000' })
  before:user('Begin.')
  before:assistant('Yes.', 0, 20000, 40)
  local e, t = project({ claude = claude, work = work })
  t:user('Look at it.')
  t:assistant('I see.', 20000, 5000, 60)
  wait_used(e, 25060)
  e:lua("vim.cmd('Ctx status')")
  e:wait_for("vim.fn.search('Fixed context over time') > 0")
  eq(e:get('vim.fn.search([[fixed context has stayed at about \\_.\\{-}since\\_s\\+20]]) > 0'), true)
  -- It stays when the session continues.
  t:user('Go on.')
  t:assistant('Done.', 20000, 10000, 60)
  e:wait_for("vim.fn.search('30,060') > 0")
  eq(e:get("vim.fn.search('Fixed context over time') > 0"), true)
end

T['on a screen: the statusline, its colours, and the window'] = function()
  local claude, work = editor.folder(), editor.folder()
  local t = transcript.new(claude, work)
  t:user('Begin.')
  t:assistant('Yes.', 0, 20000, 40)
  editor.write(work .. '/notes.txt', 'notes\n')
  local term = terminal.open({ cwd = work, env = editor.real(claude, true), files = { 'notes.txt' } })
  -- Nothing was set up, nothing was configured: the reading is in the statusline.
  local line = term:wait_for('ctx 10% · 147k to compact', 60000)
  eq(line:find('notes.txt', 1, true) ~= nil, true)
  local calm = term:style_of('ctx 10%')
  t:user('Go on.')
  t:assistant('Done.', 20000, 149000, 100)
  term:wait_for('ctx 85%')
  editor.wait(function()
    local style = term:style_of('ctx 85%')
    return style and style ~= calm
  end, 'the level is coloured')
  term:keys(':Ctx', 'Enter')
  term:wait_for('Compaction')
  term:wait_for('167,000')
  term:keys('q')
  editor.wait(function()
    return not table.concat(term:screen(), '\n'):find('Compaction', 1, true)
  end, 'the window is closed')
  term:keys(':qa!', 'Enter')
end

T['on a screen: lualine'] = function()
  local claude, work = editor.folder(), editor.folder()
  local t = transcript.new(claude, work)
  t:user('Begin.')
  t:assistant('Yes.', 0, 20000, 40)
  local term = terminal.open({
    cwd = work,
    env = editor.real(claude),
    rtp = { editor.tools .. '/plugins/lualine' },
    init = "require('lualine').setup({ options = { icons_enabled = false }, sections = { lualine_x = { 'ctx' } } })",
  })
  term:wait_for('ctx 10% · 147k to compact', 15000)
  local calm = term:style_of('ctx 10%')
  t:user('Go on.')
  t:assistant('Done.', 20000, 149000, 100)
  term:wait_for('ctx 85%')
  editor.wait(function()
    local style = term:style_of('ctx 85%')
    return style and style ~= calm
  end, 'the level is coloured')
  term:keys(':qa!', 'Enter')
end

-- The agent works and the user types: a message that does not fit would block the editor until a key is pressed.
T['on a screen: no notification waits for a key at 80 columns'] = function()
  local claude, work = editor.folder(), editor.folder()
  local t = transcript.new(claude, work)
  t:user('Begin.')
  t:assistant('Yes.', 0, 20000, 40)
  local term = terminal.open({
    cwd = work,
    env = editor.real(claude),
    width = 80,
    init = 'vim.notify = _G.notify_itself',
  })
  term:wait_for('ctx 10% · 147k to compact', 15000)
  t:user('Go on.')
  t:assistant('Done.', 20000, 169000, 100)
  term:wait_for('ctx: Claude Code compacts now (')
  term:wait_for('compacts now')
  eq(table.concat(term:screen(), '\n'):find('Press ENTER', 1, true), nil)
  term:keys(':lua vim.notify_level = require("ctx.notify").show(("so long "):rep(40))', 'Enter')
  term:wait_for('… :Ctx log')
  eq(table.concat(term:screen(), '\n'):find('Press ENTER', 1, true), nil)
  term:keys(':lua require("ctx.config").setup({ nothing = 1, format = 7, float = 8, cmd = {} })', 'Enter')
  term:wait_for('cmd must be')
  eq(table.concat(term:screen(), '\n'):find('Press ENTER', 1, true), nil)
  term:keys('ihello')
  term:wait_for('hello')
  term:keys('Escape', ':qa!', 'Enter')
end

return T
