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

-- Packages are sourced after the configuration, and plugin managers load in any order: lualine is set up before the
-- plugin was, from the root of the repository alone.
T['lualine shows it though it was set up first'] = function()
  local home = editor.folder()
  local start = home .. '/site/pack/some/start'
  vim.fn.mkdir(start, 'p')
  assert(vim.loop.fs_symlink(repository, start .. '/ctx-lsp'))
  local e = editor.open({
    bin = editor.standin(),
    rtp = { editor.tools .. '/plugins/lualine', start .. '/ctx-lsp' },
    env = { CTX_TEST_ROOT = home .. '/site', CTX_TEST_PACK = home .. '/site' },
    init = "require('lualine').setup({ options = { icons_enabled = false }, sections = { lualine_x = { 'ctx' } } })",
    start = false,
  })
  e:lua("require('ctx').start()")
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local line = e:lua("return require('lualine').statusline(true)")
  eq(line:find('ctx ~26%% · 114.9k to compact', 1, true) ~= nil and 'shown' or line, 'shown')
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
  local shown, bin = 0, editor.standin()
  for _ = 1, 20 do
    local e = editor.open({
      bin = bin,
      env = { CTX_TEST_ROOT = folder .. '/lazy.nvim' },
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
    e:lua("require('ctx').start()")
    e:wait_ready()
    e:ask('test/put', { reading = readings.quarter() })
    e:wait_status('ctx ~26% · 114.9k to compact')
    local line = e:lua("return require('lualine').statusline(true)")
    shown = shown + (line:find('ctx ~26%% · 114.9k to compact', 1, true) and 1 or 0)
    eq(e:get("vim.api.nvim_exec('messages', true)"), '')
    e:close()
  end
  eq(shown, 20)
end

T['the help file is what scripts/doc.lua writes'] = function()
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

T['the help file is what the schema and the comments say'] = function()
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
