-- Copyright The ctx-lsp authors. MIT licence.

--- The floating windows of `:Ctx`. Their lines consist of colored pieces, and q or <Esc> closes them.
local api = vim.api

local M = {}

--- A piece of a line: its text and its highlight group.
---@alias ctx.Chunk { [1]: string, [2]: string? }

---@class (exact) ctx.Window
---@field buffer integer
---@field window integer
---@field title string

local namespace = api.nvim_create_namespace('ctx_window')

--- The open windows, by title.
---@type table<string, ctx.Window>
local open = {}

---@param lines ctx.Chunk[][]
---@return string[]
function M.plain(lines)
  return vim.tbl_map(function(chunks)
    return (
      table
        .concat(vim.tbl_map(function(chunk)
          return (chunk[1]:gsub('\n', ' '))
        end, chunks))
        :gsub('%s+$', '')
    )
  end, lines)
end

---@param lines string[]
---@return integer
local function widest(lines)
  local width = 1
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

--- Returns the maximum width of a window.
---@return integer
function M.room()
  return math.max(20, math.min(require('ctx.config').get().float.width, vim.o.columns - 4))
end

---@param title string
---@param lines string[]
---@param before? integer the window's current width, below which it does not shrink
local function geometry(title, lines, before)
  local width = math.min(math.max(widest(lines), #title + 4, (before or 1) - 1) + 1, M.room())
  local height = math.max(1, math.min(#lines, vim.o.lines - 4))
  local config = {
    relative = 'editor',
    width = math.max(1, width),
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    style = 'minimal',
    border = require('ctx.config').get().float.border,
  }
  if vim.fn.has('nvim-0.9') == 1 and config.border ~= 'none' then
    config.title = ' ' .. title .. ' '
    config.title_pos = 'center'
    if vim.fn.has('nvim-0.10') == 1 then
      config.footer = ' q closes '
      config.footer_pos = 'right'
    end
  end
  return config
end

---@param buffer integer
---@param lines ctx.Chunk[][]
local function write(buffer, lines)
  local plain = M.plain(lines)
  vim.bo[buffer].modifiable = true
  api.nvim_buf_set_lines(buffer, 0, -1, false, plain)
  vim.bo[buffer].modifiable = false
  api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for row, chunks in ipairs(lines) do
    local at = 0
    for _, chunk in ipairs(chunks) do
      local to = math.min(at + #chunk[1], #plain[row])
      if chunk[2] and to > at then
        api.nvim_buf_set_extmark(buffer, namespace, row - 1, at, { end_col = to, hl_group = chunk[2] })
      end
      at = at + #chunk[1]
    end
  end
end

--- Shows lines in the window with this title, and opens it if necessary.
---@param title string
---@param lines ctx.Chunk[][]
---@param on_close? fun()
---@return ctx.Window
function M.show(title, lines, on_close)
  local window = open[title]
  if window and api.nvim_win_is_valid(window.window) then
    write(window.buffer, lines)
    api.nvim_win_set_config(window.window, geometry(title, M.plain(lines), api.nvim_win_get_width(window.window)))
    return window
  end
  local buffer = api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'ctx'
  write(buffer, lines)
  local config = geometry(title, M.plain(lines))
  local ok, handle = pcall(api.nvim_open_win, buffer, true, config)
  if not ok then
    -- This version of Neovim does not support the user's border.
    config.border, config.title, config.title_pos = 'single', nil, nil
    config.footer, config.footer_pos = nil, nil
    handle = api.nvim_open_win(buffer, true, config)
  end
  for option, value in pairs({ wrap = false, cursorline = false, number = false, signcolumn = 'no' }) do
    api.nvim_set_option_value(option, value, { scope = 'local' })
  end
  window = { buffer = buffer, window = handle, title = title }
  open[title] = window
  local function close()
    if api.nvim_win_is_valid(window.window) then
      api.nvim_win_close(window.window, true)
    end
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, close, { buffer = buffer, nowait = true, desc = 'close' })
  end
  api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    once = true,
    callback = function()
      open[title] = nil
      if on_close then
        on_close()
      end
    end,
  })
  return window
end

---@param title string
---@return boolean
function M.is_open(title)
  local window = open[title]
  return window ~= nil and api.nvim_win_is_valid(window.window)
end

return M
