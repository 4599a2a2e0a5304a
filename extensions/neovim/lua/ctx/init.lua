-- Copyright The ctx-lsp authors. MIT licence.

--- The plugin's public functions. Every function loads what it needs only when it is called, so `require('ctx')` costs
--- next to nothing, and a statusline call returns a string that has already been built.
local M = {}

--- The version of the Lua interface, as SemVer.
M.version = '0.1.0'

--- Merges options into the configuration. The call is optional, and starts nothing.
---@param opts? ctx.SetupOpts
function M.setup(opts)
  require('ctx.config').setup(opts)
end

--- Returns the text for a statusline: the reading of the buffer that is drawn, with its highlight.
---
--- Use it as `%{%v:lua.require'ctx'.statusline()%}`. It is empty when there is nothing to show.
---@return string
function M.statusline()
  return require('ctx.status').statusline()
end

--- Returns the same text without highlight codes.
---@param buffer? integer 0 or nil: the current buffer
---@return string
function M.status(buffer)
  return require('ctx.status').text(buffer)
end

--- Returns a sentence about the lines of a buffer that are in the next request; empty unless `:Ctx sees` is on.
---
--- Use it as `%{v:lua.require'ctx'.sees()}`.
---@param buffer? integer 0 or nil: the current buffer
---@return string
function M.sees(buffer)
  return package.loaded['ctx.sight'] and require('ctx.sight').text(buffer) or ''
end

--- Returns the complete reading that a buffer shows, or nil.
---@param buffer? integer 0 or nil: the current buffer
---@return ctx.Reading?
function M.reading(buffer)
  return require('ctx.status').reading(buffer)
end

--- Opens your own session, for plugins that talk to a model themselves.
---@param opts ctx.OpenOpts
---@return ctx.Session
function M.open(opts)
  return require('ctx.session').open(opts)
end

--- Starts the server if it is not started automatically. If it is already running, nothing happens.
function M.start()
  require('ctx.start').now()
end

--- Sends a request of the protocol to the server; the callback gets an error message or the result.
---@param method string
---@param params? table
---@param callback? fun(err: string?, result: any)
function M.request(method, params, callback)
  require('ctx.client').request(method, params, callback)
end

return M
