-- Copyright The ctx-lsp authors. MIT licence.

-- The module that lazy.nvim calls setup() of: the one that is called like the repository. There are others beside it.
return require('ctx')
