-- Copyright The ctx-lsp authors. MIT licence.

-- Drives a real Neovim of the version under test.
local M = {}

local MiniTest = require('mini.test')
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')

M.root = vim.fn.fnamemodify(here, ':h')
M.nvim = assert(vim.env.CTX_TEST_NVIM, 'CTX_TEST_NVIM names the editor under test')
M.tools = assert(vim.env.CTX_TEST_TOOLS, 'CTX_TEST_TOOLS is the folder of tests/install.sh')

--- The version under test, as { minor = 10, patch = 4 } of 0.10.4.
M.version = (function()
  local minor, patch = vim.fn.system({ M.nvim, '--version' }):match('NVIM v0%.(%d+)%.(%d+)')
  return { minor = tonumber(minor), patch = tonumber(patch) }
end)()

--- Skips a case that needs a newer Neovim, by name.
function M.needs(minor, what)
  if M.version.minor < minor then
    MiniTest.skip(('%s needs Neovim 0.%d'):format(what, minor))
  end
end

local folders = {}

--- A new folder that is removed at the end.
function M.folder()
  local path = vim.fn.resolve(vim.fn.tempname())
  vim.fn.mkdir(path, 'p')
  folders[#folders + 1] = path
  return path
end

function M.cleanup()
  for _, path in ipairs(folders) do
    vim.fn.delete(path, 'rf')
  end
  folders = {}
end

---@param path string
---@param text string
function M.write(path, text, flags)
  vim.fn.mkdir(vim.fn.fnamemodify(path, ':h'), 'p')
  local file = assert(io.open(path, flags or 'w'))
  file:write(text)
  file:close()
end

--- A program `ctx-lsp` that is the stand-in; returns its folder.
function M.standin()
  local bin = M.folder()
  local path = bin .. '/ctx-lsp'
  M.write(
    path,
    ('#!/bin/sh\nexec env VIMRUNTIME=%s %s -u NONE -l %s "$@"\n'):format(
      vim.fn.shellescape(vim.env.VIMRUNTIME),
      vim.fn.shellescape(vim.v.progpath),
      vim.fn.shellescape(here .. '/fixtures/server.lua')
    )
  )
  vim.loop.fs_chmod(path, 493)
  return bin
end

--- The real server's program.
function M.server()
  local path = vim.env.CTX_TEST_SERVER
  assert(path and vim.fn.executable(path) == 1, 'CTX_TEST_SERVER names the program ctx-lsp')
  return path
end

--- The real server, with the engine that starts fastest: many editors are started here.
local function quick_server()
  local path = M.folder() .. '/ctx-lsp'
  local server = vim.fn.shellescape(M.server())
  M.write(
    path,
    ('#!/bin/sh\nif [ "$1" = serve ]; then shift; exec %s serve --engine=native "$@"; fi\nexec %s "$@"\n'):format(
      server,
      server
    )
  )
  vim.loop.fs_chmod(path, 493)
  return path
end

--- The environment of an editor that is to use the real server and see only the transcripts under `claude`.
---@param claude? string CLAUDE_CONFIG_DIR
---@param as_it_is? boolean the server as a person has it
function M.real(claude, as_it_is)
  return { CTX_LSP_PATH = as_it_is and M.server() or quick_server(), CLAUDE_CONFIG_DIR = claude or M.folder() }
end

--- Waits until `check` says true, in the parent: children are asked again and again, at growing pauses.
---@param check fun(): any
---@param what string
---@param patience? integer milliseconds
function M.wait(check, what, patience)
  local last
  local ok = vim.wait(patience or 20000, function()
    local called, result = pcall(check)
    last = result
    return called and result ~= nil and result ~= vim.NIL and result ~= false
  end, 15)
  if not ok then
    error(('waited in vain until %s; last: %s'):format(what, vim.inspect(last)), 2)
  end
end

-- The folders where servers look for sessions.
local watched = {}

-- Raises an error if there is a recorded session in them that would be an earlier one tomorrow.
local function refuse_unmoved()
  for _, folder in ipairs(watched) do
    require('fixtures.recorded').refuse(folder)
  end
end

--- Returns the environment of an editor with its own home.
---@param home string
---@param opts table
function M.environment(home, opts)
  watched[#watched + 1] = home
  watched[#watched + 1] = (opts.env or {}).CLAUDE_CONFIG_DIR
  refuse_unmoved()
  local env = vim.tbl_extend('force', {
    HOME = home,
    XDG_CONFIG_HOME = home .. '/config',
    XDG_DATA_HOME = home .. '/data',
    XDG_STATE_HOME = home .. '/state',
    XDG_CACHE_HOME = home .. '/cache',
    XDG_RUNTIME_DIR = home,
    TZ = 'UTC',
    VIMRUNTIME = M.runtime,
    CTX_TEST_ROOT = M.root,
    CTX_TEST_RTP = table.concat(opts.rtp or {}, ','),
    PATH = (opts.bin and (opts.bin .. ':') or '') .. vim.env.PATH,
  }, opts.env or {})
  if opts.init then
    env.CTX_TEST_INIT = home .. '/init.lua'
    M.write(env.CTX_TEST_INIT, opts.init)
  end
  return env
end

---@class test.Editor
---@field child table MiniTest's child
---@field home string
---@field work string

--- Starts an editor with its own home and working directory.
---@param opts? { bin?: string, env?: table<string, string>, init?: string, files?: string[], rtp?: string[], cwd?: string, start?: boolean }
---@return test.Editor
function M.open(opts)
  opts = opts or {}
  local home = M.folder()
  local work = opts.cwd or M.folder()
  local before = {}
  for name, value in pairs(M.environment(home, opts)) do
    before[name] = vim.env[name] or false
    vim.env[name] = value
  end
  local cwd = vim.fn.getcwd()
  vim.cmd.cd(work)
  local child = MiniTest.new_child_neovim()
  child.start(vim.list_extend({ '-u', here .. '/init.lua' }, opts.files or {}), { nvim_executable = M.nvim })
  vim.cmd.cd(cwd)
  for name, value in pairs(before) do
    vim.env[name] = value or nil
  end
  local editor = setmetatable({ child = child, home = home, work = work }, { __index = M.Editor })
  M.opened[#M.opened + 1] = editor
  if opts.start ~= false then
    -- A headless editor has no screen, so nothing starts by itself.
    editor:lua("require('ctx').start()")
  end
  return editor
end

---@type test.Editor[]
M.opened = {}

--- The folder with the runtime files of the version under test.
M.runtime = (function()
  local prefix = vim.fn.fnamemodify(vim.fn.resolve(M.nvim), ':h:h')
  for _, path in ipairs({
    prefix .. '/share/nvim/runtime',
    prefix .. '/usr/share/nvim/runtime',
    '/usr/share/nvim/runtime',
  }) do
    if vim.fn.isdirectory(path) == 1 then
      return path
    end
  end
end)()

M.Editor = {}

function M.Editor:lua(code, ...)
  return self.child.api.nvim_exec_lua(code, { ... })
end

function M.Editor:get(expression)
  return self:lua('return ' .. expression)
end

--- Sends a request over the plugin's connection and waits for its answer.
function M.Editor:ask(method, params)
  self:lua(
    [[
    local method, params = ...
    _G.answer = nil
    require('ctx').request(method, params, function(problem, result)
      _G.answer = { problem = problem, result = result }
    end)]],
    method,
    params or vim.empty_dict()
  )
  M.wait(function()
    return self:get('_G.answer ~= nil')
  end, method .. ' is answered')
  local answer = self:get('_G.answer')
  if answer.problem then
    error(method .. ': ' .. answer.problem, 2)
  end
  return answer.result
end

function M.Editor:wait_for(expression, what, patience)
  M.wait(function()
    return self:get(expression)
  end, what or expression, patience)
end

function M.Editor:wait_ready()
  M.wait(function()
    local server = self:get("require('ctx.client').server()")
    return server.state == 'ready' or error(vim.inspect(server) .. vim.inspect(self:get("require('ctx.log').lines()")))
  end, 'the server is ready')
end

--- Waits for the text of the statusline.
function M.Editor:wait_status(text)
  M.wait(function()
    local now = self:get('vim.g.ctx_status')
    return now == text or error(vim.inspect(now))
  end, ('the status is %q'):format(text))
end

--- Returns the notifications of the plugin. Neovim itself reports that a server has ended, and the real server offers a
--- vocabulary on a machine without one.
function M.Editor:notices()
  local messages = {}
  for _, notice in ipairs(self:get('_G.notices')) do
    -- Before Neovim 0.10 its own message about an ended server cannot be avoided.
    if M.version.minor >= 10 or not notice.message:find('^Client %w+ quit') then
      messages[#messages + 1] = notice.message
    end
  end
  return messages
end

function M.Editor:close()
  pcall(self.child.stop)
end

function M.close_all()
  for _, editor in ipairs(M.opened) do
    editor:close()
  end
  M.opened = {}
end

--- A set of cases that clean up behind themselves.
function M.set()
  return MiniTest.new_set({
    hooks = {
      post_case = function()
        M.close_all()
        if package.loaded.terminal then
          require('terminal').close_all()
        end
        local ok, why = pcall(refuse_unmoved)
        watched = {}
        M.cleanup()
        assert(ok, why)
      end,
    },
  })
end

return M
