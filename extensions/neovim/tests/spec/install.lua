-- Copyright The ctx-lsp authors. MIT licence.

-- The plugin is found however it is installed, its help is there, and its help says what is.
local editor = require('editor')
local readings = require('fixtures.readings')
local eq = require('mini.test').expect.equality

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
  eq(e:get("#vim.api.nvim_get_runtime_file('lua/lualine/components/ctx.lua', true)"), 1)
  e:lua("vim.cmd('help ctx-options')")
  eq(e:get("vim.fn.expand('%:t')"), 'ctx.txt')
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
