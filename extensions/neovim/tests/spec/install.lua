-- Copyright The ctx-lsp authors. MIT licence.

-- The plugin is found however it is installed, its help is there, and its help says what is.
local editor = require('editor')
local readings = require('fixtures.readings')
local MiniTest = require('mini.test')
local eq = MiniTest.expect.equality

local T = editor.set()

local repository = vim.fn.fnamemodify(editor.root, ':h:h')

T['as a package, from the root of the repository'] = function()
  local home = editor.folder()
  local start = home .. '/site/pack/some/start'
  vim.fn.mkdir(start, 'p')
  assert(vim.loop.fs_symlink(repository, start .. '/ctx-lsp'))
  local e = editor.open({
    bin = editor.standin(),
    -- The plugin's own folder is not added: it has to be found.
    env = { CTX_TEST_ROOT = home .. '/site', CTX_TEST_PACK = home .. '/site' },
    start = false,
  })
  eq(e:get("vim.fn.exists(':Ctx')"), 2)
  e:lua("require('ctx').start()")
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  -- The stand-in answers every template with one line; what templates say is the core's to test.
  e:wait_status('ctx ~26% · 114.9k to compact')
  e:lua("vim.cmd('help ctx-options')")
  eq(e:get("vim.fn.expand('%:t')"), 'ctx.txt')
end

--- Whether lualine shows the reading, once there is one.
local function lualine_shows(e)
  e:lua("require('ctx').start()")
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local line = e:lua("return require('lualine').statusline(true)")
  return line:find('ctx ~26%% · 114.9k to compact', 1, true) ~= nil
end

-- Packages are sourced after the configuration, and plugin managers load in any order: lualine is set up before the
-- plugin was, from the root of the repository alone.
T['lualine shows it though it was set up first: twenty starts'] = function()
  local home = editor.folder()
  local start = home .. '/site/pack/some/start'
  vim.fn.mkdir(start, 'p')
  assert(vim.loop.fs_symlink(repository, start .. '/ctx-lsp'))
  assert(vim.loop.fs_symlink(editor.tools .. '/plugins/lualine', start .. '/lualine.nvim'))
  local shown, bin = 0, editor.standin()
  for _ = 1, 20 do
    local e = editor.open({
      bin = bin,
      env = { CTX_TEST_ROOT = home .. '/site', CTX_TEST_PACK = home .. '/site' },
      init = "require('lualine').setup({ options = { icons_enabled = false }, sections = { lualine_x = { 'ctx' } } })",
      start = false,
    })
    shown = shown + (lualine_shows(e) and 1 or 0)
    e:close()
  end
  eq(shown, 20)
end

--- A repository of git with what a folder has, and the address under which git finds it there.
---@param from string
---@param parts string[]
---@param address string
local function published(from, parts, address)
  local at = editor.folder() .. '/repository'
  vim.fn.mkdir(at, 'p')
  local function run(command, cwd)
    local result = vim.system(command, { cwd = cwd, text = true }):wait()
    assert(result.code == 0, result.stderr)
  end
  run(vim.list_extend({ 'cp', '-r', '--parents', '--target-directory', at }, parts), from)
  run({ 'git', 'init', '-q', '-b', 'main' }, at)
  run({ 'git', 'add', '-A' }, at)
  run({ 'git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'plugin: as it is' }, at)
  return { 'url.' .. at .. '.insteadOf', address }
end

--- The variables with which git has some settings more.
---@param settings string[][]
local function git_settings(settings)
  local env = { GIT_CONFIG_COUNT = tostring(#settings) }
  for i, setting in ipairs(settings) do
    env['GIT_CONFIG_KEY_' .. (i - 1)], env['GIT_CONFIG_VALUE_' .. (i - 1)] = setting[1], setting[2]
  end
  return env
end

--- The folder of a stand-in of Go, which can install the program from the root of the repository: it is a stand-in too.
local function standin_of_go()
  local go = editor.folder()
  editor.write(
    go .. '/go',
    ('#!/bin/sh\n[ "$*" = "install ./cmd/ctx-lsp" ] && [ -f cmd/ctx-lsp/main.go ] && cp %s/ctx-lsp "$GOBIN/"\n'):format(
      editor.standin()
    )
  )
  vim.loop.fs_chmod(go .. '/go', 493)
  return go
end

--- The lines of the README that install the plugin with Neovim's own plugin manager, and the program with it.
local function lines_for_pack()
  local text = table.concat(vim.fn.readfile(editor.root .. '/README.md'), '\n')
  return assert(text:match('\n%-%- Neovim 0%.12 itself[^\n]*\n(.-)\n```'), 'the README has lines for vim.pack')
end

-- The first start installs the plugins from their addresses, which are folders of this machine, and the program with
-- a stand-in of Go. Nothing else puts the program where it is found.
T['vim.pack, with the lines of the README and lualine: installed, and twenty starts'] = function()
  editor.needs(12, 'vim.pack')
  local bin, go = editor.folder(), standin_of_go()
  local home = editor.folder()
  local env = git_settings({
    published(
      repository,
      { 'lua', 'plugin', 'extensions/neovim/lua', 'extensions/neovim/plugin', 'cmd/ctx-lsp/main.go' },
      'https://github.com/ctx-lsp/ctx-lsp'
    ),
    published(editor.tools .. '/plugins/lualine', { 'lua' }, 'https://github.com/nvim-lualine/lualine.nvim'),
  })
  env.CTX_TEST_ROOT = home -- the plugin's own folder is not added: it has to be found
  env.PATH, env.GOBIN = bin .. ':' .. go .. ':' .. vim.env.PATH, bin
  env.XDG_DATA_HOME, env.XDG_CONFIG_HOME = home .. '/data', home .. '/config'
  env.CTX_TEST_PACK = home .. '/data/nvim/site' -- an editor under test leaves this out
  local shown = 0
  for start = 0, 20 do
    local e = editor.open({
      env = env,
      init = 'vim.fn.confirm = function() return 1 end\n'
        .. lines_for_pack()
        .. "\nvim.pack.add({ 'https://github.com/nvim-lualine/lualine.nvim' })"
        .. "\nrequire('lualine').setup({ sections = { lualine_x = { 'ctx' } } })\n_G.configured = true",
      start = false,
    })
    e:wait_for('_G.configured', 'the plugins are installed')
    if start == 0 then
      eq(vim.fn.executable(bin .. '/ctx-lsp'), 1)
      vim.fn.delete(go .. '/go')
    end
    shown = shown + (lualine_shows(e) and 1 or 0)
    e:close()
  end
  eq(shown, 21)
end

-- lazy.nvim calls setup() of the module that is called like the repository. Of several that are not it takes none.
T['lazy.nvim knows the main module'] = function()
  local like = {}
  for name in vim.fs.dir(repository .. '/lua') do
    local module = name:gsub('%.lua$', '')
    -- As lazy.nvim compares names: without "nvim" at an end, and without what is no letter.
    if module:lower():gsub('^n?vim%-', ''):gsub('%.n?vim$', ''):gsub('[^a-z]+', '') == 'ctxlsp' then
      like[#like + 1] = module
    end
  end
  eq(like, { 'ctx-lsp' })
  local e = editor.open({ env = { CTX_TEST_ROOT = repository }, start = false })
  eq(e:get("type(require('ctx-lsp').setup)"), 'function')
  eq(e:get("require('ctx-lsp').setup == require('ctx').setup"), true)
end

--- The lines of the README that install the plugin with lazy.nvim: one spec.
local function lines_for_lazy()
  local text = table.concat(vim.fn.readfile(editor.root .. '/README.md'), '\n')
  return assert(text:match("\n({ 'ctx%-lsp/ctx%-lsp'[^\n]+})\n"), 'the README has a line for lazy.nvim')
end

-- lazy.nvim loads plugins of one priority in no fixed order, so it has to start often. CTX_TEST_PLUGINS is a folder
-- with a clone of it, because no package of Debian has it.
T['lazy.nvim, with the lines of the README and lualine: twenty starts'] = function()
  editor.needs(8, 'lazy.nvim')
  local folder = vim.env.CTX_TEST_PLUGINS
  if not folder or vim.fn.isdirectory(folder .. '/lazy.nvim') == 0 then
    MiniTest.skip('CTX_TEST_PLUGINS names no folder with lazy.nvim')
  end
  local here = editor.folder()
  assert(vim.loop.fs_symlink(repository, here .. '/ctx-lsp'))
  assert(vim.loop.fs_symlink(editor.tools .. '/plugins/lualine', here .. '/lualine.nvim'))
  local shown, bin, go = 0, editor.folder(), standin_of_go()
  for start = 0, 20 do
    local e = editor.open({
      env = { CTX_TEST_ROOT = folder .. '/lazy.nvim', PATH = bin .. ':' .. go .. ':' .. vim.env.PATH, GOBIN = bin },
      init = ([[
        require('lazy').setup({
          %s,
          { 'nvim-lualine/lualine.nvim', opts = { sections = { lualine_x = { 'ctx' } } } },
        }, {
          dev = { path = '%s', patterns = { 'ctx-lsp', 'nvim-lualine' } },
          install = { missing = false }, change_detection = { enabled = false }, rocks = { enabled = false },
        })]]):format(lines_for_lazy(), here),
      start = false,
    })
    if start == 0 then
      -- What lazy.nvim does after each installation and update.
      e:lua("require('lazy').build({ plugins = { 'ctx-lsp' }, wait = true, show = false })")
      eq(vim.fn.executable(bin .. '/ctx-lsp'), 1)
      vim.fn.delete(go .. '/go')
    end
    shown = shown + (lualine_shows(e) and 1 or 0)
    eq(e:get("vim.api.nvim_exec('messages', true)"), '')
    e:close()
  end
  eq(shown, 21)
end

T['the help file matches scripts/doc.lua'] = function()
  local run = { vim.v.progpath, '-u', 'NONE', '-l', editor.root .. '/scripts/doc.lua', '--check' }
  local result = vim.system(run, { text = true }):wait()
  eq(result.code == 0 and '' or result.stdout .. result.stderr, '')
end

T['every help tag is there once, and every one that is named exists'] = function()
  local e = editor.open({ start = false })
  local text = table.concat(vim.fn.readfile(editor.root .. '/doc/ctx.txt'), '\n')
  local seen = {}
  for tag in text:gmatch('%*([%w_.:()-]+)%*') do
    eq(seen[tag] == nil and tag, tag)
    seen[tag] = true
    eq(e:lua("return pcall(vim.cmd, 'help ' .. ...)", tag), true)
  end
  for tag in text:gmatch('|([%w_:.()-]+)|') do
    if tag:find('ctx', 1, true) then
      eq(seen[tag] and tag, tag)
    else
      eq(e:lua("return pcall(vim.cmd, 'help ' .. ...)", tag) and tag, tag)
    end
  end
end

T['the help file matches the schema and the comments'] = function()
  vim.opt.runtimepath:prepend(editor.root)
  eq(dofile(editor.root .. '/scripts/doc.lua').is_current(), true)
  vim.opt.runtimepath:remove(editor.root)
end

T['no line of the help is too wide'] = function()
  local inside = false
  for _, line in ipairs(vim.fn.readfile(editor.root .. '/doc/ctx.txt')) do
    if line:match('^>') then
      inside = true
    elseif line == '<' then
      inside = false
    end
    eq(inside or vim.fn.strdisplaywidth(line) <= 78, true)
  end
end

return T
