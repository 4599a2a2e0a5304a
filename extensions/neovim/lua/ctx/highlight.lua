-- Copyright The ctx-lsp authors. MIT licence.

--- The highlight groups, each linked to a group that every color scheme has.
local M = {}

--- The highlight group of each level. An unknown level is shown like `ok`.
---@type table<string, string>
M.of_level = { ok = 'CtxOk', soon = 'CtxSoon', now = 'CtxNow', over = 'CtxOver' }

local links = {
  CtxOk = vim.fn.hlexists('DiagnosticOk') == 1 and 'DiagnosticOk' or 'String',
  CtxSoon = 'DiagnosticWarn',
  CtxNow = 'DiagnosticError',
  CtxOver = 'ErrorMsg',
  CtxTitle = 'Title',
  CtxLabel = 'NormalFloat', -- for text in floating windows
  CtxNumber = 'Number',
  CtxMuted = 'Comment',
  CtxLine = 'Special',
}

local function apply()
  for group, link in pairs(links) do
    vim.api.nvim_set_hl(0, group, { link = link, default = true })
  end
end

--- Defines the groups, now and after every change of the color scheme. Groups that the user or the scheme has defined
--- stay.
function M.define()
  apply()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('ctx_highlight', {}),
    callback = apply,
  })
end

return M
