-- Copyright The ctx-lsp authors. MIT licence.

--- Finds the server's program, and checks its version before it is used.
local M = {}

--- The schema of readings that this plugin supports, which `ctx-lsp version --json` must report.
local SCHEMA = 'ctx.reading/3'

--- How long the program may take to respond, in milliseconds.
local PATIENCE = 5000

--- How to get the program, for the end of every message that it is missing.
M.REMEDY = 'install it with `npm install -g ctx-lsp` or '
  .. '`go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest`, or set the option `cmd`'

---@class (exact) ctx.Version
---@field version string
---@field reading string
---@field platform string?

--- Reports whether a path is absolute. A relative path would depend on the open project, and its programs must not be
--- run.
---@param path string
---@return boolean
local function absolute(path)
  return path:match(vim.fn.has('win32') == 1 and '^%a:[/\\]' or '^/') ~= nil
end

--- Returns the program on the PATH, or nil. `exepath` would also search the working directory: for an empty or relative
--- entry of the PATH, and always on Windows.
---@return string?
local function on_path()
  local separator = vim.fn.has('win32') == 1 and ';' or ':'
  for _, folder in ipairs(vim.split(vim.env.PATH or '', separator, { plain = true })) do
    folder = folder:gsub('^"(.*)"$', '%1')
    if absolute(folder) then
      local path = vim.fn.exepath(folder .. '/ctx-lsp')
      if path ~= '' then
        return path
      end
    end
  end
end

--- Returns the command of a program, with the agents that it may read.
---@param path string
---@return string[]
local function serve(path)
  local agents = require('ctx.config').get().agents
  if vim.tbl_contains(agents, 'all') then
    return { path, 'serve' }
  end
  return { path, 'serve', '--agents=' .. (#agents == 0 and 'none' or table.concat(agents, ',')) }
end

--- Returns the command that starts the server, and its source; or nil and an error message.
---@return string[]? command
---@return string source or the sentence
function M.find()
  local cmd = require('ctx.config').get().cmd
  if cmd then
    if vim.fn.executable(cmd[1]) == 1 then
      return cmd, 'the option `cmd`'
    end
    return nil, ('the option `cmd` names %q, which is not an executable program'):format(cmd[1])
  end
  local named = vim.env.CTX_LSP_PATH
  if named and named ~= '' then
    if vim.fn.executable(named) == 1 then
      return serve(named), 'the variable CTX_LSP_PATH'
    end
    return nil, ('CTX_LSP_PATH names %q, which is not an executable program'):format(named)
  end
  local found = on_path()
  if found then
    return serve(found), 'the PATH'
  end
  local home = vim.loop.os_homedir() or ''
  local gobin = vim.env.GOBIN
  if not gobin or not absolute(gobin) then
    gobin = home .. '/go/bin'
  end
  for _, path in ipairs({ gobin .. '/ctx-lsp', home .. '/.local/bin/ctx-lsp' }) do
    if vim.fn.executable(path) == 1 then
      return serve(path), path
    end
  end
  return nil, 'the program ctx-lsp was not found: ' .. M.REMEDY
end

--- Parses the output of `version --json`.
---@param text string
---@return ctx.Version?
---@return string? problem
function M.read_version(text)
  local ok, answer = pcall(vim.fn.json_decode, text)
  if not ok or type(answer) ~= 'table' or type(answer.version) ~= 'string' then
    return nil, 'it does not support `version --json`; it is too old or another program: ' .. M.REMEDY
  end
  if answer.reading ~= SCHEMA then
    return nil,
      ('ctx-lsp %s does not match this plugin, which requires %s: %s'):format(answer.version, SCHEMA, M.REMEDY)
  end
  return { version = answer.version, reading = answer.reading, platform = answer.platform }
end

--- Checks the program's version without blocking.
---@param path string
---@param done fun(version: ctx.Version?, problem: string?)
function M.probe(path, done)
  local output, finished = {}, false
  local function finish(version, problem)
    if not finished then
      finished = true
      done(version, problem and ('%s: %s'):format(path, problem))
    end
  end
  local started, job = pcall(vim.fn.jobstart, { path, 'version', '--json' }, {
    stdout_buffered = true,
    on_stdout = function(_, lines)
      vim.list_extend(output, lines)
    end,
    on_exit = function()
      -- The output may arrive after the exit.
      vim.schedule(function()
        finish(M.read_version(table.concat(output, '\n')))
      end)
    end,
  })
  if not started or job <= 0 then
    return finish(nil, 'it could not be started: ' .. M.REMEDY)
  end
  vim.defer_fn(function()
    if not finished then
      vim.fn.jobstop(job)
      finish(nil, ('it did not respond to `version --json` within %d seconds'):format(PATIENCE / 1000))
    end
  end, PATIENCE)
end

return M
