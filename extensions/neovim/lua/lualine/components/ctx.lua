-- Copyright The ctx-lsp authors. MIT licence.

--- The component for lualine: `sections = { lualine_x = { 'ctx' } }`. It accepts lualine's own options; the text
--- follows the plugin's option `format`, and the color follows the level, unless `color` is set.
local component = require('lualine.component'):extend()

local defaults = {
  --- The levels that color the text: "levels" from `soon` on, "always", "never".
  highlight = 'levels',
}

function component:init(options)
  options = vim.tbl_deep_extend('keep', options or {}, defaults)
  if options.color == nil and options.highlight ~= 'never' then
    options.color = function()
      local level = require('ctx.status').level()
      if level and (level ~= 'ok' or options.highlight == 'always') then
        return require('ctx.highlight').of_level[level]
      end
    end
  end
  if options.on_click == nil and vim.fn.has('nvim-0.8') == 1 then
    options.on_click = function()
      vim.cmd('Ctx status')
    end
  end
  component.super.init(self, options)
  vim.api.nvim_create_autocmd('User', {
    group = vim.api.nvim_create_augroup('ctx_lualine', {}),
    pattern = 'CtxUpdate',
    callback = function()
      require('lualine').refresh()
    end,
  })
end

function component:update_status()
  -- lualine reads a percent sign as the start of an item.
  return (require('ctx.status').text():gsub('%%', '%%%%'))
end

return component
