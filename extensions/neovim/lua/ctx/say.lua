-- Copyright The ctx-lsp authors. MIT licence.

--- The messages that the plugin shows unasked. Neovim's own notification stops the editor with "Press ENTER" when a
--- message does not fit into its line, while an agent works and the person types. So the message is cut there, and
--- `:Ctx log` has all of it. A plugin that shows notifications in windows gets the whole message.
local M = {}

--- How many columns of the last line Neovim uses itself.
local RESERVED = 12

local MORE = '… :Ctx log'

--- Whether notifications go to the command line: they do as long as vim.notify is Neovim's own, which newer versions
--- carry without the name of its source.
---@return boolean
local function on_command_line()
  local source = debug.getinfo(vim.notify, 'S').source
  return source:find('vim[/\\]_') ~= nil or source:match('^[=@]?%??$') ~= nil
end

--- A message that fits the command line, and whether something of it was left out.
---@param message string
---@param columns integer
---@return string
---@return boolean cut
function M.fit(message, columns)
  message = message:gsub('%c+', ' ')
  if vim.fn.strdisplaywidth(message) <= columns - RESERVED then
    return message, false
  end
  local room = math.max(columns - RESERVED - vim.fn.strdisplaywidth(MORE), 8)
  local keep = vim.fn.strchars(message)
  while keep > 0 and vim.fn.strdisplaywidth(vim.fn.strcharpart(message, 0, keep)) > room do
    keep = keep - 1
  end
  return vim.trim(vim.fn.strcharpart(message, 0, keep)) .. MORE, true
end

---@param message string
---@param level? integer
local function notify(message, level)
  message = 'ctx: ' .. message
  if on_command_line() then
    local fitting, cut = M.fit(message, vim.o.columns)
    if cut then
      require('ctx.log').add(message)
    end
    message = fitting
  end
  vim.notify(message, level or vim.log.levels.INFO)
end

M.aloud = notify

---@type table<string, boolean>
local said = {}

--- Says something once in the life of this editor.
---@param message string
---@param level? integer
function M.once(message, level)
  if not said[message] then
    said[message] = true
    notify(message, level)
  end
end

return M
