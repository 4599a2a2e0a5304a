-- Copyright The ctx-lsp authors. MIT licence.

-- What has to exist before anything of the plugin is used: the command, the maps and the moment to start the server.
-- All else is loaded when it is needed.
if vim.g.loaded_ctx then
  return
end
vim.g.loaded_ctx = 1

local api = vim.api

api.nvim_create_user_command('Ctx', function(args)
  require('ctx.command').run(args)
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = "Show how full the coding agent's context window is",
  complete = function(lead, line)
    return require('ctx.command').complete(lead, line)
  end,
})

for _, name in ipairs({ 'status', 'sessions', 'history', 'focus' }) do
  vim.keymap.set('n', '<Plug>(ctx-' .. name .. ')', '<Cmd>Ctx ' .. name .. '<CR>', { desc = 'ctx: ' .. name })
end

local group = api.nvim_create_augroup('ctx_start', {})

local function start()
  vim.schedule(function()
    require('ctx.start').automatic()
  end)
end

-- Without a screen no statusline is visible, so a script that runs Neovim starts no server.
if #api.nvim_list_uis() > 0 and vim.v.vim_did_enter == 1 then
  start()
else
  api.nvim_create_autocmd('UIEnter', { group = group, once = true, callback = start })
end
