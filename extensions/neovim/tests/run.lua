-- Copyright The ctx-lsp authors. MIT licence.

-- Runs the cases of tests/spec with one version of Neovim and prints `N passed, M failed, K skipped` as the last line.
--
--   CTX_TEST_NVIM=…/bin/nvim CTX_TEST_TOOLS=… nvim -u NONE --headless -l tests/run.lua [name of a file…]
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
vim.opt.runtimepath:prepend(assert(vim.env.CTX_TEST_TOOLS) .. '/plugins/mini.test')
package.path = here .. '/?.lua;' .. package.path

local MiniTest = require('mini.test')
local editor = require('editor')

local files = {}
for _, file in ipairs(vim.fn.glob(here .. '/spec/*.lua', false, true)) do
  local name = vim.fn.fnamemodify(file, ':t:r')
  if #_G.arg == 0 or vim.tbl_contains(_G.arg, name) then
    files[#files + 1] = file
  end
end

local tally = { Pass = 0, Fail = 0, skipped = 0 }
local cases

local function finish(case)
  local state = case.exec and case.exec.state or 'Fail'
  local notes = case.exec and case.exec.notes or {}
  local why = notes[1] or ''
  local skipped = state:find('^Pass') and (why:find('needs Neovim', 1, true) or why:find('CTX_TEST_PLUGINS', 1, true))
  local verdict = skipped and 'skipped' or state:find('^Pass') and 'Pass' or 'Fail'
  tally[verdict] = tally[verdict] + 1
  local name =
    table.concat(vim.list_extend({ vim.fn.fnamemodify(case.desc[1], ':t:r') }, vim.list_slice(case.desc, 2)), ': ')
  io.stdout:write(
    ('%s  0.%d.%d  %s%s\n'):format(
      skipped and 'skip' or verdict == 'Pass' and 'ok  ' or 'FAIL',
      editor.version.minor,
      editor.version.patch,
      name,
      skipped and (' (' .. notes[1] .. ')') or ''
    )
  )
  if verdict == 'Fail' then
    for _, fail in ipairs(case.exec and case.exec.fails or {}) do
      io.stdout:write('      ' .. fail:gsub('\n', '\n      ') .. '\n')
    end
  end
end

local done = false
MiniTest.run({
  silent = true,
  collect = {
    find_files = function()
      return files
    end,
  },
  execute = {
    reporter = {
      start = function(all)
        cases = all
      end,
      update = function(number)
        local case = cases[number]
        local state = case.exec and case.exec.state or ''
        if not case.reported and (state:find('^Pass') or state:find('^Fail')) and not state:find('running') then
          case.reported = true
          finish(case)
        end
      end,
      finish = function()
        done = true
      end,
    },
  },
})

vim.wait(1200000, function()
  return done
end, 50)
editor.close_all()
io.stdout:write(('%d passed, %d failed, %d skipped\n'):format(tally.Pass, tally.Fail, tally.skipped))
os.exit((tally.Fail > 0 or tally.Pass == 0 or not done) and 1 or 0)
