-- Copyright The ctx-lsp authors. MIT licence.

-- lualine finds this file when it is set up before the plugin is loaded; plugin managers load in no fixed order. The
-- component itself is in extensions/neovim.
local here = vim.fn.resolve(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
local root = vim.fn.fnamemodify(here, ':h:h:h:h') .. '/extensions/neovim'
if not vim.tbl_contains(vim.opt.runtimepath:get(), root) then
  vim.opt.runtimepath:append(root)
end
return dofile(root .. '/lua/lualine/components/ctx.lua')
