-- Copyright The ctx-lsp authors. MIT licence.

-- What plugin managers find as the main module of this repository when they call setup() themselves: the plugin's own,
-- which is in extensions/neovim.
local here = vim.fn.resolve(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
local root = vim.fn.fnamemodify(here, ':h:h') .. '/extensions/neovim'
if not vim.tbl_contains(vim.opt.runtimepath:get(), root) then
  vim.opt.runtimepath:append(root)
end
return dofile(root .. '/lua/ctx/init.lua')
