-- Copyright The ctx-lsp authors. MIT licence.

--- Adds the reading to the option 'statusline' while that still has Neovim's default value.
local M = {}

local ITEM = "%{%v:lua.require'ctx.statusline'.draw()%}"

--- In a narrower window than SHORT only the percentage fits, and below NONE only the file's name.
local SHORT, NONE = 70, 30

--- The last current window that does not float.
---@type integer?
local before_float

local function note()
  local window = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_config(window).relative == '' then
    before_float = window
  end
end

--- Returns the window that the user works in. A floating window has no statusline, so while one has the focus, this is
--- the previous window.
---@return integer
local function in_front()
  local current = tonumber(vim.g.actual_curwin) or vim.api.nvim_get_current_win()
  if not vim.api.nvim_win_is_valid(current) or vim.api.nvim_win_get_config(current).relative == '' then
    return current
  end
  return before_float and vim.api.nvim_win_is_valid(before_float) and before_float or current
end

--- Returns the text of the automatic statusline: empty in windows without the focus, and never longer than the space
--- next to the file's name.
---@return string
function M.draw()
  local drawn = vim.api.nvim_get_current_win() -- Neovim makes the window that it draws the current one
  if vim.o.laststatus ~= 3 and drawn ~= in_front() then
    return ''
  end
  local width = vim.o.laststatus == 3 and vim.o.columns or vim.api.nvim_win_get_width(drawn)
  if width < NONE then
    return ''
  end
  return require('ctx.status').statusline(width < SHORT)
end

--- The items that Neovim draws while 'statusline' is empty, as documented in |'statusline'|.
local EMPTY = '%<%f %h%m%r%=%-14.(%l,%c%V%) %P'

local done = false

--- Changes 'statusline' when there is a first text to show.
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
  note()
  vim.api.nvim_create_autocmd(
    'WinEnter',
    { group = vim.api.nvim_create_augroup('ctx_statusline', {}), callback = note }
  )
end

return M
