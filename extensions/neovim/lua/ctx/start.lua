-- Copyright The ctx-lsp authors. MIT licence.

--- What happens when the plugin comes to life: the server is started, the editor's focus is followed, and the files
--- and chat plugins it knows about are looked after.
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

--- The start at the first screen, unless the user wants to start it himself.
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

--- Starts afresh, whatever state the server is in.
function M.again()
  come_alive()
  require('ctx.client').restart()
end

return M
