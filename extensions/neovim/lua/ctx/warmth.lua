-- Copyright The ctx-lsp authors. MIT licence.

--- The prompt cache of a session: whether it is warm now, and what coming back costs once it is cold. The reading
--- contains the times; the clock is this editor's.
local M = {}

--- Returns the time in milliseconds since 1970.
---@return integer
function M.now()
  return os.time() * 1000
end

--- Returns the state of a prompt cache at a time: "warm", "perhaps" or "cold". A clock that shows a time before the
--- last request is wrong, so the state is then uncertain.
---@param back ctx.Back
---@param now integer
---@return "warm"|"perhaps"|"cold"
function M.of(back, now)
  if now >= back.coldFrom then
    return 'cold'
  end
  return (now > back.warmUntil or back.warmUntil - now > back.life) and 'perhaps' or 'warm'
end

--- Returns how many minutes a warm cache stays warm, rounded up.
---@param back ctx.Back
---@param now integer
local function minutes(back, now)
  return ('%d min'):format(math.floor((back.warmUntil - now) / 60000) + 1)
end

--- Returns the statusline's text about the cache. It is empty before the last fifth of the cache's lifetime, while the
--- agent works, and if something other than time has made the cache cold.
---@param reading ctx.Reading
---@return string
function M.soon(reading)
  local back, now = reading.back, M.now()
  if type(back) ~= 'table' or back.cause ~= 'time' or reading.activity == 'working' or now < back.warnFrom then
    return ''
  end
  local state = M.of(back, now)
  if state == 'warm' then
    return 'cold in ' .. minutes(back, now)
  end
  if state == 'perhaps' then
    return 'may be cold'
  end
  return back.display and 'cold: ' .. back.display or 'cold' -- older servers do not send it
end

--- Returns the cost of coming back to a session now, in sentences; nil if that is not recorded.
---@param reading ctx.Reading
---@return string?
function M.sentence(reading)
  local back, now = reading.back, M.now()
  if type(back) ~= 'table' then
    return nil
  end
  local cost = back.text .. ((back.firstText or '') ~= '' and '; ' .. back.firstText or '')
  local state = M.of(back, now)
  if back.cause ~= 'time' and back.cause ~= 'compacted' then
    cost = cost:sub(1, 1):upper() .. cost:sub(2)
  elseif state == 'warm' then
    cost = ('cold in %s; then %s'):format(minutes(back, now), cost)
  else
    cost = (state == 'perhaps' and 'may be cold: ' or 'cold: ') .. cost
  end
  local at = back.compactsAt
  if type(at) == 'number' and at > now and (back.compactsText or '') ~= '' then
    return ('%s. At %s %s.'):format(cost, os.date('%H:%M', math.floor(at / 1000)), back.compactsText)
  end
  return cost .. '.'
end

--- Returns the breaks of the prompt cache in a clause: their number, their tokens and the last one; nil without any.
---@param reading ctx.Reading
---@return string?
function M.breaks(reading)
  local breaks = reading.cacheBreaks
  if type(breaks) ~= 'table' then
    return nil
  end
  local at = breaks.last.at
  local when = type(at) == 'number' and os.date(' at %Y-%m-%d %H:%M', math.floor(at / 1000)) or ''
  return ('%s; the last%s: %s'):format(breaks.text, when, breaks.last.causeText)
end

return M
