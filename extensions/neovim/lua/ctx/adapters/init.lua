-- Copyright The ctx-lsp authors. MIT licence.

--- Loads the adapter of a chat plugin when that plugin is loaded, and never before.
---
--- An adapter listens to the events of its plugin, reads the plugin's conversation, and passes both to a session. It
--- changes nothing in the plugin, and omits whatever it does not find.
local api = vim.api

local M = {}

---@class (exact) ctx.Plugin
---@field name string the option's and the file's name
---@field title string
---@field module string the module that is loaded with the plugin
---@field shows table<string, string> the events that show that it is loaded, with their patterns

---@type ctx.Plugin[]
M.plugins = {
  {
    name = 'codecompanion',
    title = 'codecompanion.nvim',
    module = 'codecompanion',
    shows = { User = 'CodeCompanionChat*' },
  },
  {
    name = 'avante',
    title = 'avante.nvim',
    module = 'avante',
    shows = { User = 'Avante*', FileType = 'AvanteInput' },
  },
  {
    name = 'copilotchat',
    title = 'CopilotChat.nvim',
    module = 'CopilotChat',
    shows = { FileType = 'copilot-chat' },
  },
}

---@type table<string, boolean>
local listening = {}

--- The failures of adapters, each reported once.
---@type table<string, boolean>
local reported = {}

--- Runs a function that uses a plugin. If the plugin differs from what its adapter expects, that is logged once, and
--- the editor shows no error.
---@generic T
---@param name string
---@param run fun(...): T
---@return T?
function M.safely(name, run, ...)
  local ok, result = pcall(run, ...)
  if ok then
    return result
  end
  local problem = ('the adapter %s: %s'):format(name, result)
  if not reported[problem] then
    reported[problem] = true
    require('ctx.log').add(problem)
  end
end

---@param plugin ctx.Plugin
---@param args? table the event that showed that the plugin is loaded
local function begin(plugin, args)
  if listening[plugin.name] or not require('ctx.config').get().adapters[plugin.name] then
    return
  end
  listening[plugin.name] = true
  M.safely(plugin.name, function()
    require('ctx.adapters.' .. plugin.name).listen(args)
  end)
end

--- Returns the names of the plugins that are followed.
---@return table<string, boolean>
function M.listening()
  return listening
end

--- Follows each plugin as soon as it is loaded.
function M.listen()
  local group = api.nvim_create_augroup('ctx_adapters', {})
  for _, plugin in ipairs(M.plugins) do
    if package.loaded[plugin.module] then
      begin(plugin)
    end
    for event, pattern in pairs(plugin.shows) do
      api.nvim_create_autocmd(event, {
        group = group,
        pattern = pattern,
        callback = function(args)
          begin(plugin, args)
        end,
      })
    end
  end
end

return M
