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
  local back, now = reading.cache.back, M.now()
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

return M
