-- Copyright The ctx-lsp authors. MIT licence.

--- Starts the plugin: the server is started, and the editor's focus, prompt files and chat plugins are followed.
local M = {}

local alive = false

local function come_alive()
  if alive then
    return
  end
  alive = true
  require('ctx.highlight').define()
  require('ctx.focus').follow()
  require('ctx.inline').follow()
  require('ctx.adapters').follow()
end

--- Starts at the first screen, unless the user wants to start the server himself.
function M.automatic()
  if require('ctx.config').get().autostart then
    M.now()
  end
end

--- Starts now.
function M.now()
  come_alive()
  require('ctx.client').start()
end

--- Starts anew, whatever the state of the server is.
function M.again()
  come_alive()
  require('ctx.client').restart()
end

return M
