-- Copyright The ctx-lsp authors. MIT licence.

--- What happened to the server, newest last: the last few hundred lines, in memory. `:Ctx log` shows them.
local M = {}

local LIMIT = 400

---@type string[]
local lines = {}

--- Keeps a line; control characters and over-long text from outside are made harmless.
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
