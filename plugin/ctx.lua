-- Copyright The ctx-lsp authors. MIT licence.

-- Plugin managers look at the root of a repository. The Neovim plugin is in extensions/neovim: from here on that folder
-- is on the runtime path.
if vim.g.loaded_ctx then
  return
end
local here = vim.fn.resolve(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
local root = vim.fn.fnamemodify(here, ':h:h') .. '/extensions/neovim'
if not vim.tbl_contains(vim.opt.runtimepath:get(), root) then
  vim.opt.runtimepath:append(root)
end
vim.cmd('source ' .. vim.fn.fnameescape(root .. '/plugin/ctx.lua'))
