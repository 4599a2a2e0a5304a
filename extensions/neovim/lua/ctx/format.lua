-- Copyright The ctx-lsp authors. MIT licence.

--- Makes the short text of a statusline from a reading: the option `format`, compiled once.
---
---   format      = { text | "{" name "}" | "[" alternative { "|" alternative } "]" }
---
--- A bracket is replaced by its first alternative in which every name has a value, or by nothing.
local M = {}

local config = require('ctx.config')

--- A ready-made string of the reading's, or nothing where the reading has no value for it.
---@param name string
---@return fun(reading: ctx.Reading): string?
local function display(name)
  return function(reading)
    local value = reading.display[name]
    return value ~= '?' and value or nil
  end
end

--- A field of the reading.
---@param name string
---@return fun(reading: ctx.Reading): string?
local function field(name)
  return function(reading)
    return reading[name]
  end
end

---@type table<string, fun(reading: ctx.Reading): string?>
local names = {
  mark = function(reading)
    return reading.display.mark
  end,
  percent = display('percent'),
  percent_left = display('percentLeft'),
  used = display('used'),
  limit = display('limit'),
  free = display('free'),
  line = display('line'),
  line_percent = display('linePercent'),
  line_percent_left = display('linePercentLeft'),
  left = display('left'),
  bar = display('bar'),
  agent_percent = function(reading)
    return reading.agentPercent and ('%.14g%%'):format(reading.agentPercent.value)
  end,
  level = function(reading)
    return reading.compaction and reading.compaction.level
  end,
  agent = field('agent'),
  model = field('model'),
  label = field('label'),
  session = field('session'),
}

--- Names that may be empty and still have a value.
local may_be_empty = { mark = true }

---@alias ctx.Piece string|{ name: string }|{ choices: ctx.Piece[][] }

--- Splits a run without brackets into texts and names.
---@param source string
---@return ctx.Piece[]
local function run(source)
  local pieces, at = {}, 1
  while at <= #source do
    local from, to, name = source:find('{([%w_]+)}', at)
    if not from then
      pieces[#pieces + 1] = source:sub(at)
      break
    end
    if from > at then
      pieces[#pieces + 1] = source:sub(at, from - 1)
    end
    pieces[#pieces + 1] = names[name] and { name = name } or source:sub(from, to)
    at = to + 1
  end
  return pieces
end

---@param source string
---@return ctx.Piece[]
local function compile(source)
  local pieces, at = {}, 1
  while at <= #source do
    local from, to, inner = source:find('%[([^%[%]]*)%]', at)
    vim.list_extend(pieces, run(source:sub(at, (from or #source + 1) - 1)))
    if not from then
      break
    end
    local choices = {}
    for _, alternative in ipairs(vim.split(inner, '|', { plain = true })) do
      choices[#choices + 1] = run(alternative)
    end
    pieces[#pieces + 1] = { choices = choices }
    at = to + 1
  end
  return pieces
end

---@param pieces ctx.Piece[]
---@param reading ctx.Reading
---@return string text
---@return boolean complete whether every name had a value
local function fill(pieces, reading)
  local out, complete = {}, true
  for _, piece in ipairs(pieces) do
    if type(piece) == 'string' then
      out[#out + 1] = piece
    elseif piece.name then
      local value = names[piece.name](reading)
      complete = complete and value ~= nil and (value ~= '' or may_be_empty[piece.name] == true)
      out[#out + 1] = value or ''
    else
      for _, choice in ipairs(piece.choices) do
        local text, whole = fill(choice, reading)
        if whole then
          out[#out + 1] = text
          break
        end
      end
    end
  end
  return table.concat(out), complete
end

---@type table<string, ctx.Piece[]>
local compiled = {}

---@type boolean whether a failing function was reported
local reported = false

--- The text of a reading, on one line.
---@param reading ctx.Reading
---@return string
function M.text(reading)
  local format = config.get().format
  if type(format) == 'function' then
    local ok, text = pcall(format, reading)
    if ok and type(text) == 'string' then
      return (text:gsub('%c', ' '))
    end
    if not reported then
      reported = true
      local problem = ok and ('it returned a %s, not a string'):format(type(text)) or tostring(text)
      require('ctx.log').add('the option format: ' .. problem)
      vim.notify('ctx: the option `format` failed, its default is used: ' .. problem, vim.log.levels.WARN)
    end
    format = M.default()
  end
  compiled[format] = compiled[format] or compile(format)
  return ((fill(compiled[format], reading)):gsub('%c', ' '))
end

---@return string
function M.default()
  for _, option in ipairs(config.schema) do
    if option.name == 'format' then
      return option.default
    end
  end
  error('the schema has no option format')
end

return M
