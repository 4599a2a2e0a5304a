-- Copyright The ctx-lsp authors. MIT licence.

--- The activity of a session's agent, in words.
local M = {}

local phrases = require('ctx.phrases')

--- Reports whether a session is inactive.
---@param s { activity: ctx.Activity }
---@return boolean
function M.quiet(s)
  return s.activity == 'idle' or s.activity == 'ended'
end

--- Returns the activity in words; empty if unknown.
---@param s { activity: ctx.Activity, waitingFor: string?, pending: boolean? }
---@return string
function M.words(s)
  if M.quiet(s) then
    return s.activity
  elseif s.activity == 'waiting' and (s.waitingFor or '') ~= '' then
    return phrases['waiting' .. s.waitingFor:sub(1, 1):upper() .. s.waitingFor:sub(2)] or ''
  elseif s.activity == 'working' or s.pending then
    return 'working'
  end
  return ''
end

return M
