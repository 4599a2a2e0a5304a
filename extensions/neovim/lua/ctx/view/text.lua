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

--- Formats a whole number with its sign, even if it is positive.
---@param n? number
---@return string
function M.signed(n)
  return (type(n) == 'number' and n > 0 and '+' or '') .. M.number(n)
end

--- Formats a percentage as it was computed, without trailing zeros: 26.05 is "26.05%".
---@param n? number
---@return string
function M.percent(n)
  return type(n) == 'number' and ('%.14g%%'):format(n) or '?'
end

--- Returns the symbol of a basis: `~` if a part was estimated, `?` if it is unknown.
---@param basis? string
---@return string
function M.mark(basis)
  if basis == 'estimated' or basis == 'measured+estimated' then
    return '~'
  end
  return basis == 'unknown' and '?' or ''
end

--- Formats how often something happened: "once", "2 times".
---@param n number
---@return string
function M.times(n)
  return n == 1 and 'once' or M.number(n) .. ' times'
end

--- Formats a range in words: "12 (8 to 20)", or "12" if its ends are equal.
---@param range? { low: number?, likely: number?, high: number? }
---@return string?
function M.range(range)
  if not range then
    return nil
  end
  if (range.likely or 0) >= 200 then
    return 'hundreds of' -- beyond that, a forecast is meaningless
  end
  local low, high = range.low, range.high
  if low == nil and high == nil then
    return range.likely and M.number(range.likely)
  end
  if low == high then
    return M.number(low)
  end
  local ends = ('%s to %s'):format(M.number(low), high and M.number(high) or 'many')
  return range.likely and ('%s (%s)'):format(M.number(range.likely), ends) or ends
end

--- Formats a range with the name of the unit, in the singular if it is exactly one: "1 turn", "2 (1 to 5) turns".
---@param range? { low: number?, likely: number?, high: number? }
---@param one string
---@return string?
function M.counted(range, one)
  local words = M.range(range)
  return words and ('%s %s%s'):format(words, one, words == '1' and '' or 's')
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
  local id = c and c.hintPhrase and c.hintPhrase.id
  if c and (id == 'compactsAtPrompt' or id == 'compactsAfter') then
    return c.hint
  end
  return 'compacts now'
end

return M
