-- Copyright The ctx-lsp authors. MIT licence.

--- Adds the reading to the option 'statusline' while that still has Neovim's own value.
local M = {}

local ITEM = "%{%v:lua.require'ctx'.statusline()%}"

--- What Neovim draws while 'statusline' is empty, as |'statusline'| documents it.
local EMPTY = '%<%f %h%m%r%=%-14.(%l,%c%V%) %P'

local done = false

--- Called when there is a first text to show.
function M.offer()
  if done then
    return
  end
  done = true
  if not require('ctx.config').get().statusline.auto then
    return
  end
  local default = vim.api.nvim_get_option_info('statusline').default
  if vim.o.statusline ~= default then
    return
  end
  local line = default ~= '' and default or EMPTY
  local before, after = line:match('^(.-)%%=(.*)$')
  if not before then
    return
  end
  vim.o.statusline = before .. '%=' .. ITEM .. '  ' .. after
end

return M
