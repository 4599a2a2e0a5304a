-- Copyright The ctx-lsp authors. MIT licence.

--- Bars drawn from percentages, in eighths of a cell.
local M = {}

local EIGHTHS = { '▏', '▎', '▍', '▌', '▋', '▊', '▉' }

--- Returns how many of `width` cells a percentage fills, rounded down.
---@param percent number
---@param width integer
---@return integer
function M.cells(percent, width)
  return math.floor(percent / 100 * width)
end

--- Returns a bar of `width` cells, and how many of its bytes are filled. More than 100% fills the whole bar.
---@param percent? number
---@param width integer
---@return string bar
---@return integer filled bytes
function M.draw(percent, width)
  local eighths = math.floor(math.max(0, math.min(100, percent or 0)) / 100 * width * 8 + 0.5)
  local full, rest = math.floor(eighths / 8), eighths % 8
  local filled = ('█'):rep(full) .. (EIGHTHS[rest] or '')
  return filled .. ('░'):rep(width - full - (rest > 0 and 1 or 0)), #filled
end

return M
