-- Copyright The ctx-lsp authors. MIT licence.

--- Starts the plugin: starts the server, and follows the editor's focus, prompt files and chat plugins.
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
  require('ctx.adapters').listen()
end

--- Starts at the first screen, unless the user has turned that off.
function M.automatic()
  if require('ctx.config').get().autostart then
    M.now()
  end
end

function M.now()
  come_alive()
  require('ctx.client').start()
end

--- Restarts the server, whatever state it is in.
function M.again()
  come_alive()
  require('ctx.client').restart()
end

return M
