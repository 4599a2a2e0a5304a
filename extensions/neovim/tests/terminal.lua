-- Copyright The ctx-lsp authors. MIT licence.

-- A Neovim of the version under test on a real screen: a terminal of tmux.
local M = {}
M.__index = M

local editor = require('editor')

local count = 0

local function tmux(...)
  local out = vim.fn.system({ 'tmux', '-L', M.socket, '-f', '/dev/null', ... })
  return out, vim.v.shell_error
end

M.socket = 'ctx-test-' .. vim.fn.getpid()

---@type table[]
M.opened = {}

--- Starts Neovim in a terminal, of 100 by 24 cells by default.
---@param opts { env?: table<string, string>, init?: string, files?: string[], rtp?: string[], cwd?: string, bin?: string, width?: integer, height?: integer }
function M.open(opts)
  count = count + 1
  local self = setmetatable({ name = 'nvim' .. count, home = editor.folder() }, M)
  self.work = opts.cwd or editor.folder()
  local command = { 'env' }
  local env = editor.environment(self.home, opts)
  for name, value in pairs(env) do
    command[#command + 1] = name .. '=' .. value
  end
  vim.list_extend(command, { editor.nvim, '-u', editor.root .. '/tests/init.lua' })
  vim.list_extend(command, opts.files or {})
  local line = table.concat(vim.tbl_map(vim.fn.shellescape, command), ' ')
  local height = tostring(opts.height or 24)
  local out, code =
    tmux('new-session', '-d', '-s', self.name, '-x', tostring(opts.width or 100), '-y', height, '-c', self.work, line)
  assert(code == 0, out)
  M.opened[#M.opened + 1] = self
  return self
end

--- The lines on the screen; with `styled` they carry their escape sequences.
---@param styled? boolean
function M:screen(styled)
  local out = tmux(unpack(vim.list_extend({ 'capture-pane', '-t', self.name, '-p' }, styled and { '-e' } or {})))
  return vim.split(out, '\n', { plain = true })
end

--- Types keys, as `tmux send-keys` names them.
function M:keys(...)
  tmux('send-keys', '-t', self.name, ...)
end

--- Waits until a line of the screen has the text, and returns the line.
---@param text string
---@param patience? integer
function M:wait_for(text, patience)
  local found
  editor.wait(function()
    local screen = self:screen()
    for _, line in ipairs(screen) do
      if line:find(text, 1, true) then
        found = line
        return true
      end
    end
    error(table.concat(screen, '\n'))
  end, ('the screen shows %q'):format(text), patience)
  return found
end

--- Returns the escape sequences in effect at the text.
---@param text string
function M:style_of(text)
  for _, line in ipairs(self:screen(true)) do
    local at = line:find(text, 1, true)
    if at then
      return line:sub(1, at - 1):match('.*(\27%[[%d;:]*m)') or ''
    end
  end
end

function M.close_all()
  for _, terminal in ipairs(M.opened) do
    tmux('kill-session', '-t', terminal.name)
  end
  if #M.opened > 0 then
    tmux('kill-server')
  end
  M.opened = {}
end

return M
