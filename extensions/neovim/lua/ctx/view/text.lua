-- Copyright The ctx-lsp authors. MIT licence.

--- How the windows format numbers, ranges, symbols, and texts of a limited width.
local M = {}

--- Formats a whole number with commas between its thousands: 131900 is "131,900".
---@param n? number
---@return string
function M.number(n)
  if type(n) ~= 'number' then
    return '?'
  end
  local digits = ('%.0f'):format(n)
  local sign, rest = digits:match('^(%-?)(%d+)$')
  if not rest then
    return digits
  end
  return sign .. rest:reverse():gsub('(%d%d%d)', '%1,'):reverse():gsub('^,', '')
end

--- Formats how often something happened: "once", "2 times".
---@param n number
---@return string
function M.times(n)
  return n == 1 and 'once' or M.number(n) .. ' times'
end

--- Returns an external text as one line of at most `width` columns, without control characters.
---@param text any
---@param width integer
---@return string
function M.clip(text, width)
  text = tostring(text or ''):gsub('%c+', ' ')
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local out = ''
  for i = 0, vim.fn.strchars(text) - 1 do
    local char = vim.fn.strcharpart(text, i, 1)
    if vim.fn.strdisplaywidth(out .. char) > width - 1 then
      break
    end
    out = out .. char
  end
  return out .. '…'
end

--- Splits an external text into lines of at most `width` columns, broken between words.
---@param text any
---@param width integer
---@return string[]
function M.wrap(text, width)
  local lines, line = {}, ''
  for word in tostring(text or ''):gsub('%c+', ' '):gmatch('%S+') do
    if line ~= '' and vim.fn.strdisplaywidth(line .. ' ' .. word) > width then
      lines[#lines + 1] = line
      line = ''
    end
    line = line == '' and M.clip(word, math.max(width, 1)) or line .. ' ' .. word
  end
  lines[#lines + 1] = line
  return lines
end

--- Formats how long ago a time in milliseconds since 1970 was: "20h", "5 min".
---@param at? integer
---@return string?
function M.age(at)
  local minutes = at and math.floor((os.time() - at / 1000) / 60)
  if not minutes then
    return nil
  elseif minutes < 60 then
    return ('%d min'):format(math.max(minutes, 1))
  elseif minutes < 48 * 60 then
    return ('%dh'):format(math.floor(minutes / 60))
  end
  return ('%dd'):format(math.floor(minutes / 60 / 24))
end

--- Formats a time in milliseconds since 1970 as a row of the panel asks.
---@param at integer
---@param form? ctx.TimeForm
---@return string
local function written(at, form)
  local now = require('ctx.warmth').now()
  if form == 'minutes' then
    return ('%d min'):format(math.floor((at - now) / 60000) + 1)
  elseif form == 'age' then
    return M.age(at) or '?'
  end
  local day = os.date('%Y-%m-%d', math.floor(at / 1000))
  return os.date(
    (day == os.date('%Y-%m-%d', math.floor(now / 1000)) and '' or '%Y-%m-%d ') .. '%H:%M',
    math.floor(at / 1000)
  )
end

--- Returns the value of a row of the panel now, or nil if it has none.
---@param row ctx.PanelRow
---@return string?
function M.dated(row)
  if not row.dated then
    return row.value and row.value.text
  end
  local now, value = require('ctx.warmth').now(), nil
  for _, dated in ipairs(row.dated) do
    if dated.from <= now then
      value = dated
    end
  end
  if not value or not value.value then
    return nil
  end
  if not value.at then
    return value.value.text
  end
  local before, after = value.value.text:match('^(.-){time}(.*)$')
  return before and before .. written(value.at, value.as) .. after or value.value.text
end

--- Pads a text with spaces to `width` columns.
---@param text string
---@param width integer
---@param right? boolean whether to align the text to the right
---@return string
function M.pad(text, width, right)
  local gap = (' '):rep(math.max(0, width - vim.fn.strdisplaywidth(text)))
  return right and gap .. text or text .. gap
end

--- Returns what an agent past its threshold does: not every agent compacts inside a turn.
---@param c ctx.Compaction?
---@return string
function M.past(c)
  local hint = c and c.hint or {}
  if hint.id == 'compactsAtPrompt' or hint.id == 'compactsAfter' then
    return hint.text
  end
  return 'compacts now'
end

return M
