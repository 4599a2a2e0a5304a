-- Copyright The ctx-lsp authors. MIT licence.

--- The messages that the plugin shows on its own. Neovim's own notification stops the editor with "Press ENTER" if a
--- message does not fit on its line, while an agent works and the user types. So the message is cut, and `:Ctx log`
--- shows it in full. A plugin that shows notifications in windows gets the full message.
local M = {}

--- How many columns of the last line Neovim uses itself.
local RESERVED = 12

local MORE = '… :Ctx log'

--- Reports whether notifications go to the command line, which is the case as long as vim.notify is Neovim's own. In
--- newer versions, that function has no source name.
---@return boolean
local function on_command_line()
  local source = debug.getinfo(vim.notify, 'S').source
  return source:find('vim[/\\]_') ~= nil or source:match('^[=@]?%??$') ~= nil
end

--- Shortens a message to fit the command line; also returns whether anything was cut.
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
  local reason = message:match('.*: ([^:]+)$') -- what comes before it, such as a path, is cut first
  local head = reason and room - vim.fn.strdisplaywidth(reason) - 3 or 0
  if reason and head >= 8 then
    return vim.trim(vim.fn.strcharpart(message, 0, head)) .. '…: ' .. reason .. MORE, true
  end
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

M.show = notify

---@type table<string, boolean>
local shown = {}

--- Shows a message once during the life of this editor.
---@param message string
---@param level? integer
function M.once(message, level)
  if not shown[message] then
    shown[message] = true
    notify(message, level)
  end
end

return M
