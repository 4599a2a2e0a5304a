-- Copyright The ctx-lsp authors. MIT licence.

-- What the plugin costs when nothing happens: loading it and drawing a statusline. The test alarms at five times the
-- aim. It asks for the processor's time and not the clock's, which also counts what other programs do meanwhile.
local editor = require('editor')
local readings = require('fixtures.readings')
local eq = require('mini.test').expect.equality

local T = editor.set()

--- The aims, in microseconds.
local REQUIRE, PLUGIN, CALL, CHANGE = 2000, 2000, 20, 2000

local function report(what, took, aim)
  if vim.env.CTX_TEST_BENCH then
    io.stdout:write(('      %-46s %8.1f us  (aim %d us)\n'):format(what, took, aim))
  end
  if took > aim * 5 then
    error(('%s took %.0f us, the aim is %d us'):format(what, took, aim))
  end
end

--- Microseconds that --startuptime gives to what matches; the least of several runs. That is by the clock, so a busy
--- machine gets more runs until one is undisturbed.
local function startup(pattern, aim)
  local least
  for run = 1, 40 do
    if run > 5 and least and least < aim then
      break
    end
    local log = editor.folder() .. '/startup'
    vim.fn.system({
      'env',
      'VIMRUNTIME=' .. editor.runtime,
      editor.nvim,
      '--headless',
      '--clean',
      '--startuptime',
      log,
      '--cmd',
      'set runtimepath^=' .. editor.root,
      '-c',
      "lua require('ctx')",
      '-c',
      'qa!',
    })
    for _, line in ipairs(vim.fn.readfile(log)) do
      if line:find(pattern) then
        -- clock, self and sourced, self: the last number is its own time
        local took = tonumber(line:match('%d+%.%d+%s+%d+%.%d+%s+(%d+%.%d+):') or line:match('%s(%d+%.%d+):'))
        least = math.min(least or math.huge, took * 1000)
      end
    end
  end
  return assert(least, 'the start-up log has no line that matches ' .. pattern)
end

T['loading'] = function()
  report('plugin/ctx.lua at start', startup('neovim/plugin/ctx%.lua', PLUGIN), PLUGIN)
  if editor.version.minor >= 9 then
    report("require('ctx')", startup("require%('ctx'%)", REQUIRE), REQUIRE)
  end
  local e = editor.open({ start = false })
  report(
    "require('ctx'), in the editor",
    e:lua([[
      local from = os.clock()
      require('ctx')
      return (os.clock() - from) * 1e6]]),
    REQUIRE
  )
  eq(e:get("#vim.tbl_filter(function(name) return name:find('^ctx%.') end, vim.tbl_keys(package.loaded))"), 0)
end

T['a statusline call'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local took = e:lua([[
    local statusline = require('ctx').statusline
    local least = math.huge
    for _ = 1, 20 do
      local from = os.clock()
      for _ = 1, 1000 do
        statusline()
      end
      least = math.min(least, (os.clock() - from) * 1e3)
    end
    return least]])
  report('a statusline call', took, CALL)
  local evaluated = e:lua([[
    local least = math.huge
    for _ = 1, 20 do
      local from = os.clock()
      for _ = 1, 100 do
        vim.fn.luaeval("require('ctx').statusline()")
      end
      least = math.min(least, (os.clock() - from) * 1e4)
    end
    return least]])
  report('a statusline call, evaluated as the option does', evaluated, CALL)
end

T['a reading that changes, among many buffers'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  local took, shown = unpack(e:lua(
    [[
    for i = 1, 300 do
      vim.fn.bufload(vim.fn.bufadd('file' .. i))
      vim.bo[vim.fn.bufnr('file' .. i)].buflisted = true
    end
    local put, reading = require('ctx.readings').put, ...
    local from = os.clock()
    for i = 1, 50 do
      reading.used = i
      put(vim.deepcopy(reading))
    end
    local took = (os.clock() - from) * 1e6 / 50
    -- It is checked here, because the server may send the same again.
    return { took, vim.wait(1000, function()
      return vim.b.ctx_status_dict.used == 50
    end, 1) }]],
    readings.quarter()
  ))
  report('a reading that changes, with 300 buffers', took, CHANGE)
  eq(shown, true)
  -- One that comes into sight later has the data too.
  e:lua("vim.cmd('buffer file7')")
  eq(e:get('vim.b.ctx_status_dict.limit'), 200000)
end

T['redrawing sends no request'] = function()
  local e = editor.open({ bin = editor.standin() })
  e:wait_ready()
  e:ask('test/put', { reading = readings.quarter() })
  e:wait_status('ctx ~26% · 114.9k to compact')
  vim.loop.sleep(300)
  e:ask('test/calls')
  e:lua("for _ = 1, 50 do vim.cmd('redrawstatus!') end")
  vim.loop.sleep(300)
  eq(e:ask('test/calls').calls, {})
end

return T
