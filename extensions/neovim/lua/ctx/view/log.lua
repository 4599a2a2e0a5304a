-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx log`: the events of the server since the plugin was loaded, and the path of the server's own messages.
local M = {}

--- Returns the path of the file with what language servers write to their standard error.
local function editor_log()
  if vim.lsp.log and vim.lsp.log.get_filename then
    return vim.lsp.log.get_filename()
  end
  return vim.lsp.get_log_path()
end

function M.open()
  local server = require('ctx.client').server()
  local lines = {}
  local text = require('ctx.view.text')
  local room = require('ctx.view.window').room()
  --- Adds a text in as many lines as it needs, because the reason of a problem is at its end.
  local function add(label, value)
    local indent = label and 11 or 10
    for i, line in ipairs(text.wrap(value, room - indent - 2)) do
      local first = label and text.pad(label, 10) or ''
      local before = i == 1 and first or (' '):rep(label and 10 or 9)
      lines[#lines + 1] = { { ' ' .. before, 'CtxMuted' }, { line } }
    end
  end
  add('server', server.state .. (server.problem and (': ' .. server.problem) or ''))
  add('version', server.version or 'unknown')
  add('command', server.command and table.concat(server.command, ' ') or 'not found')
  add('stderr', editor_log())
  lines[#lines + 1] = {}
  for _, line in ipairs(require('ctx.log').lines()) do
    add(nil, line)
  end
  local window = require('ctx.view.window').show('Log', lines)
  vim.api.nvim_win_set_cursor(window.window, { #lines, 0 })
end

return M
