-- Copyright The ctx-lsp authors. MIT licence.

--- The short text of a statusline. The server builds it from a template, the option `format`, and sends it with each
--- reading. If the option is a function, it is called here.
local M = {}

local config = require('ctx.config')

---@return string
local function default()
  for _, option in ipairs(config.schema) do
    if option.name == 'format' then
      return option.default
    end
  end
  error('the schema has no option format')
end

--- The template for provider mode without a measured percentage: 0.0%, or tokens if the window is unknown, and the
--- reason.
local UNMEASURED = '{?provider}ctx {mark}{percent} · {unmeasured}'

--- Returns how the server should format its readings, as params of `ctx/watch`.
---@param plain? boolean use the default, because the user's template was refused
---@return { mode: string?, openings: boolean, lines: table<string, string[]> }
function M.look(plain)
  local options = config.get()
  local template = not plain and type(options.format) == 'string' and options.format or default()
  return {
    mode = options.mode == 'provider' and 'provider' or nil,
    openings = true,
    lines = { status = { UNMEASURED, template }, agent = { '{agent}' } },
  }
end

---@type boolean whether a failure was reported
local reported = false

--- Reports once that the option cannot be used.
---@param problem string
function M.refused(problem)
  require('ctx.log').add('the option format: ' .. problem)
  if not reported then
    reported = true
    require('ctx.notify').show('the option `format` failed, its default is used: ' .. problem, vim.log.levels.WARN)
  end
end

--- Returns the text of a reading, on one line.
---@param reading ctx.Reading
---@return string
function M.text(reading)
  local format = config.get().format
  if type(format) == 'function' then
    local ok, text = pcall(format, reading)
    if ok and type(text) == 'string' then
      return (text:gsub('%c', ' '))
    end
    M.refused(ok and ('it returned a %s, not a string'):format(type(text)) or tostring(text))
  end
  local line = reading.lines and reading.lines.status
  if type(line) ~= 'string' then
    line = ('ctx %s%s'):format(reading.display.mark or '', reading.display.percent or '')
  end
  if format == default() and (reading.activity == 'idle' or reading.activity == 'ended') then
    -- The server's line changes only with the session, but its age changes with time.
    local age = require('ctx.view.text').age(reading.asOf)
    line = age and line:gsub(' · idle$', ' · idle ' .. age):gsub(' · ended$', ' · ended ' .. age) or line
  end
  if format == default() then
    -- The state of the prompt cache changes with time, too.
    local soon = require('ctx.warmth').soon(reading)
    line = soon ~= '' and line .. ' · ' .. soon or line
  end
  return (line:gsub('%c', ' '))
end

return M
