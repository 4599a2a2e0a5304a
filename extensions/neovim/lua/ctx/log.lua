-- Copyright The ctx-lsp authors. MIT licence.

--- The last few hundred lines about the server, in memory, the newest last. `:Ctx log` shows them.
local M = {}

local LIMIT = 400

---@type string[]
local lines = {}

--- Adds a line. Control characters are removed from external text, and long text is cut.
---@param message string
function M.add(message)
  message = tostring(message):gsub('[%c]+', ' '):sub(1, 500)
  if #lines >= LIMIT then
    table.remove(lines, 1)
  end
  lines[#lines + 1] = os.date('%H:%M:%S ') .. message
end

---@return string[]
function M.lines()
  return vim.list_extend({}, lines)
end

return M
