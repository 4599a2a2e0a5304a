-- Copyright The ctx-lsp authors. MIT licence.

-- Neovim 0.11 and later look for the configuration of a language server under this name. vim.lsp.enable('ctx') uses it;
-- vim.lsp.config('ctx', {…}) in your own configuration has precedence.
return vim.tbl_extend('force', require('ctx.client').config(), {
  root_dir = function(buffer, on_dir)
    require('ctx.inline').root_dir(buffer, on_dir)
  end,
  reuse_client = function(client)
    return client.name == 'ctx'
  end,
})
