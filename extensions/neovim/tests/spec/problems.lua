-- Copyright The ctx-lsp authors. MIT licence.

-- Problems are shown in `:checkhealth` and in `:Ctx`, once and calmly; the statusline is quiet.
local editor = require('editor')
local readings = require('fixtures.readings')
local recorded = require('fixtures.recorded')
local MiniTest = require('mini.test')
local eq = MiniTest.expect.equality

local T = editor.set()

--- The text of `:checkhealth ctx`.
local function health(e)
  e:lua("vim.cmd('checkhealth ctx')")
  e:wait_for("vim.fn.search('chat plugins') > 0", 'the health check has run')
  return table.concat(e:get('vim.api.nvim_buf_get_lines(0, 0, -1, false)'), '\n')
end

local function has(text, part)
  if not text:find(part, 1, true) then
    error(('%q is not in:\n%s'):format(part, text), 2)
  end
end

local function wait_state(e, state)
  e:wait_for(("require('ctx.client').server().state == %q"):format(state), 'the server is ' .. state)
end

--- The statusline is empty and drawing it raises nothing.
local function quiet(e)
  for _ = 1, 20 do
    eq(e:get("require('ctx').statusline()"), '')
  end
  e:lua("vim.cmd('redrawstatus!'); vim.cmd('new'); vim.cmd('redrawstatus!')")
  eq(e:notices(), {})
  eq(e:get("vim.api.nvim_exec('messages', true)"), '')
end

T['no program'] = function()
  local bin = editor.folder()
  local e = editor.open({ env = { PATH = bin .. ':/usr/bin:/bin', GOBIN = bin } })
  wait_state(e, 'failed')
  -- Otherwise a user who has just installed the plugin would see nothing. The message appears once.
  local message = 'ctx: the program ctx-lsp was not found; see :checkhealth ctx'
  eq(e:notices(), { message })
  e:lua("require('ctx').start(); vim.cmd('Ctx restart')")
  wait_state(e, 'failed')
  eq(e:notices(), { message })
  e:lua('_G.notices = {}')
  quiet(e)
  e:lua("vim.cmd('Ctx')")
  has(e:notices()[1], 'the program ctx-lsp was not found: install it with `npm install')
  local text = health(e)
  has(text, 'ERROR')
  has(text, 'the program ctx-lsp was not found')
end

T['a program of the folder that is open is not run'] = function()
  local bin, project = editor.folder(), editor.folder()
  for _, name in ipairs({ 'ctx-lsp', 'bin/ctx-lsp' }) do
    vim.fn.mkdir(vim.fn.fnamemodify(project .. '/' .. name, ':h'), 'p')
    vim.fn.writefile({ '#!/bin/sh', 'touch ' .. project .. '/was-run' }, project .. '/' .. name)
    vim.loop.fs_chmod(project .. '/' .. name, 493)
  end
  for _, path in ipairs({ ':/usr/bin:/bin', '.:/usr/bin:/bin', 'bin:/usr/bin:/bin', '/usr/bin:/bin:' }) do
    local e = editor.open({ cwd = project, env = { PATH = path, GOBIN = 'bin', HOME = bin } })
    wait_state(e, 'failed')
    eq(e:get(("vim.fn.filereadable('%s/was-run')"):format(project)), 0)
  end
end

T['a program that is named and is not there'] = function()
  local e = editor.open({ env = { CTX_LSP_PATH = '/nowhere/ctx-lsp' } })
  wait_state(e, 'failed')
  eq(e:notices(), { 'ctx: the program ctx-lsp was not found; see :checkhealth ctx' })
  e:lua('_G.notices = {}')
  quiet(e)
  has(health(e), 'CTX_LSP_PATH names "/nowhere/ctx-lsp", which is not an executable program')
end

T['a program that is too old'] = function()
  for _, schema in ipairs({ 'ctx.reading/1', 'ctx.reading/2' }) do
    local e = editor.open({
      bin = editor.standin(),
      env = { STANDIN_VERSION = ('{"version":"0.0.9","reading":"%s"}'):format(schema) },
    })
    wait_state(e, 'failed')
    quiet(e)
    has(health(e), 'ctx-lsp 0.0.9 does not match this plugin, which requires ctx.reading/3')
  end
end

T['another program of that name'] = function()
  local e = editor.open({ bin = editor.standin(), env = { STANDIN_VERSION = 'usage: ctx-lsp FILE' } })
  wait_state(e, 'failed')
  quiet(e)
  has(health(e), 'it does not support `version --json`')
end

T['a server that ends in a loop is given up'] = function()
  local e = editor.open({ bin = editor.standin(), env = { STANDIN_CRASH = '1' } })
  e:wait_for("require('ctx.client').server().state == 'failed'", 'it is given up', 20000)
  quiet(e)
  eq(e:get("require('ctx.client').server().restarts"), 3)
  local text = health(e)
  has(text, 'the server ended 4 times within 60 seconds, the last time with code 3')
  has(text, 'try again with :Ctx restart')
  -- The cause of its end is removed, so a manual restart works.
  e:lua("vim.env.STANDIN_CRASH = nil; vim.cmd('Ctx restart')")
  e:wait_ready()
end

T['a server that sends nothing'] = function()
  local e = editor.open({ bin = editor.standin(), env = { STANDIN_SILENT = '1' }, start = false })
  e:lua("require('ctx.client').patience = 700; require('ctx').start()")
  wait_state(e, 'starting')
  e:lua("vim.cmd('Ctx')")
  eq(e:notices(), { 'ctx: the server is starting' })
  wait_state(e, 'failed')
  has(health(e), 'the server did not respond for 0.7 seconds')
end

T['no agent, and a buffer without a file'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  quiet(e)
  e:lua("vim.cmd('enew')")
  quiet(e)
  local text = health(e)
  has(text, 'no agent session was found')
  has(text, 'no agent session in ')
end

T['an incomplete search is not an empty list'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  local now = recorded.now() * 1000
  local function session(id, agent, workspace, hours)
    return { session = id, agent = agent, title = '', workspace = workspace, modified = now - hours * 3600000 }
  end
  e:ask('test/earlier', {
    sessions = {
      session('a', 'codex', '/home/ada/elsewhere', 1),
      session('b', 'codex', e.work, 30),
      session('c', 'claude-code', e.work, 40),
    },
  })
  e:lua("vim.cmd('Ctx')")
  e:wait_for('#_G.notices == 1', 'it is shown')
  has(e:notices()[1], 'the newest agent session in ')
  has(e:notices()[1], ' is 30h old; :Ctx sessions lists it')
  local text = health(e)
  has(text, 'codex: 2, 0 of them read')
  has(text, 'claude-code: 1, 0 of them read')
  has(text, 'is 30h old')
end

T['a session that is only the newest of all is not shown'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  e:ask('test/shown', { shown = 'elsewhere' })
  e:ask('test/notify', { method = 'ctx/reading', params = readings.quarter() })
  e:ask('test/put', { reading = readings.quarter() })
  e:lua("vim.cmd('new')")
  vim.loop.sleep(200)
  e:lua("vim.cmd('new')")
  e:wait_for("vim.g.ctx_status == ''", 'nothing is shown')
end

T['options of the wrong type and unknown ones'] = function()
  local e = editor.open({
    bin = editor.standin(),
    init = [[require('ctx').setup({
      format = 7,
      cmd = {},
      statusline = { auto = 'yes', colour = true },
      notify = 'all',
      inlne = {},
      float = { width = 60 },
    })]],
  })
  e:wait_ready()
  local notices = e:notices()
  eq(#notices, 1)
  for _, part in ipairs({
    'cmd must be a list of strings, but is empty',
    'format must be a string or a function, but is a number',
    'inlne is not an option',
    'notify must be a table, but is a string',
    'statusline.auto must be a boolean, but is a string',
    'statusline.colour is not an option',
  }) do
    has(notices[1], part)
    has(health(e), part)
  end
  eq(e:get("require('ctx.config').get().float.width"), 60)
  eq(e:get("require('ctx.config').get().statusline.auto"), true)
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
end

T['all is well'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local text = health(e)
  has(text, 'version 9.9.9, with schema ctx.reading/3')
  has(text, 'claude-code: 1')
  has(text, 'the options are valid')
  has(text, 'shown here: c1')
  has(text, 'codecompanion.nvim is not loaded')
  eq(text:find('ERROR', 1, true), nil)
end

T['autostart can be switched off'] = function()
  local e = editor.open({
    bin = editor.standin(),
    start = false,
    init = "require('ctx').setup({ autostart = false })",
  })
  e:lua("vim.api.nvim_exec_autocmds('UIEnter', {})")
  vim.loop.sleep(200)
  eq(e:get("require('ctx.client').server().state"), 'stopped')
  e:lua("vim.cmd('Ctx restart')")
  e:wait_ready()
end

T['it starts with the first screen, and not without one'] = function()
  local e = editor.open({ bin = editor.standin(), start = false })
  vim.loop.sleep(200)
  eq(e:get("package.loaded['ctx.client'] == nil"), true)
  e:lua("vim.api.nvim_exec_autocmds('UIEnter', {})")
  e:wait_ready()
end

T['garbage from the server is survived'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  for _, params in ipairs({ 7, 'x', { session = 7 }, { reading = {} }, { session = 's', level = 9 } }) do
    e:ask('test/notify', { method = 'ctx/reading', params = params })
    e:ask('test/notify', { method = 'ctx/level', params = params })
    e:ask('test/notify', { method = 'ctx/focused', params = params })
  end
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  eq(e:get("vim.api.nvim_exec('messages', true)"), '')
  eq(e:notices(), {})
end

return T
