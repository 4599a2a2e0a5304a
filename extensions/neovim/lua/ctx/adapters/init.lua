--- Looks after the chat plugins that have an adapter: an adapter is loaded when its plugin is, never before.
local api = vim.api

local M = {}

--- How to tell that a plugin has come: its module is loaded, or it announced one of its events.
---@type { name: string, module: string, events: string[] }[]
local plugins = {
  { name = 'codecompanion', module = 'codecompanion', events = { 'CodeCompanion*' } },
  { name = 'avante', module = 'avante', events = { 'Avante*' } },
  { name = 'copilotchat', module = 'CopilotChat', events = { 'CopilotChat*' } },
}

---@type table<string, boolean>
local following = {}

local function begin(name, event)
  if following[name] or not require('ctx.config').get().adapters[name] then
    return
  end
  following[name] = true
  local ok, problem = pcall(function()
    require('ctx.adapters.' .. name).follow(event)
  end)
  if not ok then
    require('ctx.log').add(('adapter %s: %s'):format(name, problem))
  end
end

--- The plugins that are followed, for the health check.
---@return table<string, boolean>
function M.following()
  return following
end

--- Follows each plugin from the moment it is there.
function M.follow()
  local group = api.nvim_create_augroup('ctx_adapters', {})
  for _, plugin in ipairs(plugins) do
    if package.loaded[plugin.module] then
      begin(plugin.name)
    end
    api.nvim_create_autocmd('User', {
      group = group,
      pattern = plugin.events,
      callback = function(args)
        if not following[plugin.name] then
          begin(plugin.name, args)
        end
      end,
    })
  end
end

return M
