-- Copyright The ctx-lsp authors. MIT licence.

-- Runs the cases of tests/spec with one version of Neovim and prints `N passed, M failed, K skipped` as the last line.
--
--   CTX_TEST_NVIM=…/bin/nvim CTX_TEST_NAME=sid CTX_TEST_TOOLS=… nvim -u NONE --headless -l tests/run.lua [name…]
--
-- A case that fails is repeated once, after the others. If it passes then, it is listed as unsteady.
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

local tally = { passed = 0, failed = 0, skipped = 0 }
local seconds = {}

local function name_of(case)
  local words = vim.list_extend({ vim.fn.fnamemodify(case.desc[1], ':t:r') }, vim.list_slice(case.desc, 2))
  for _, arg in ipairs(case.args) do
    words[#words + 1] = vim.inspect(arg)
  end
  return ('%s: %s'):format(vim.env.CTX_TEST_NAME, table.concat(words, ': '))
end

-- Counts a case that has ended and prints it. A case that `failed` before is repeated: it is unsteady if it passes now.
local function report(case, failed)
  local state = case.exec and case.exec.state or 'Fail'
  local note = case.exec and case.exec.notes and case.exec.notes[1] or ''
  local passed = state:find('^Pass')
  local skipped = passed and (note:find('needs Neovim', 1, true) or note:find('CTX_TEST_PLUGINS', 1, true))
  local name = name_of(case)
  local verdict = skipped and 'skipped' or passed and 'passed' or 'failed'
  if failed then
    tally.failed = tally.failed - 1
  end
  tally[verdict] = tally[verdict] + 1
  io.stdout:write(
    ('%s  %s%s\n'):format(
      ({ skipped = 'skip', passed = 'ok  ', failed = 'FAIL' })[verdict],
      name,
      skipped and (' (' .. note .. ')') or failed and ', repeated' or ''
    )
  )
  if verdict == 'failed' then
    for _, fail in ipairs(case.exec and case.exec.fails or {}) do
      io.stdout:write('      ' .. fail:gsub('\n', '\n      ') .. '\n')
    end
  elseif failed then
    io.stdout:write(('unsteady: test-neovim: %s\n'):format(name))
  end
end

-- Runs the cases, or those that failed before, and returns those that fail. Also returns whether all came to their end.
local function run(before)
  local cases, failed, done = {}, {}, false
  local began = vim.loop.hrtime()
  local reported = {}
  MiniTest.run({
    silent = true,
    collect = {
      find_files = function()
        return files
      end,
      filter_cases = function(case)
        return before == nil or before[name_of(case)] ~= nil
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
          if reported[number] or not (state:find('^Pass') or state:find('^Fail')) or state:find('running') then
            return
          end
          reported[number] = true
          report(case, before ~= nil)
          local now = vim.loop.hrtime()
          local name = name_of(case)
          seconds[#seconds + 1] = { name = name, took = (now - began) / 1e9 }
          began = now
          if state:find('^Fail') then
            failed[name] = true
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
  return failed, done
end

local failed, done = run()
if done and next(failed) ~= nil then
  done = select(2, run(failed))
end
editor.close_all()

table.sort(seconds, function(a, b)
  return a.took > b.took
end)
for at = 1, math.min(#seconds, 10) do
  io.stdout:write(('slow: %.1f test-neovim: %s\n'):format(seconds[at].took, seconds[at].name))
end
io.stdout:write(('%d passed, %d failed, %d skipped\n'):format(tally.passed, tally.failed, tally.skipped))
os.exit((tally.failed > 0 or tally.passed == 0 or not done) and 1 or 0)
