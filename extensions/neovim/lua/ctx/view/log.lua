-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx log`: what the server has done since the plugin was loaded, and where its own messages are.
local M = {}

--- The file in which Neovim keeps what language servers write to their standard error.
local function editor_log()
  if vim.lsp.log and vim.lsp.log.get_filename then
    return vim.lsp.log.get_filename()
  end
  return vim.lsp.get_log_path()
end

function M.open()
  local server = require('ctx.client').server()
  local lines = {
    { { ' server    ', 'CtxMuted' }, { server.state .. (server.problem and (': ' .. server.problem) or '') } },
    { { ' version   ', 'CtxMuted' }, { server.version or 'not known' } },
    { { ' command   ', 'CtxMuted' }, { server.command and table.concat(server.command, ' ') or 'none was found' } },
    { { ' stderr    ', 'CtxMuted' }, { editor_log() } },
    {},
  }
  local clip = require('ctx.view.text').clip
  for _, line in ipairs(require('ctx.log').lines()) do
    lines[#lines + 1] = { { ' ' .. clip(line, 400) } }
  end
  local window = require('ctx.view.window').show('Log', lines)
  vim.api.nvim_win_set_cursor(window.window, { #lines, 0 })
end

return M
