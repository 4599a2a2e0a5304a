std = 'lua51'
cache = false
read_globals = { 'vim', 'jit' }
-- Options and variables of the editor are set by assignment.
globals = { 'vim.g', 'vim.b', 'vim.o', 'vim.bo', 'vim.wo', 'vim.env', 'vim.opt', 'vim.notify', 'vim.ui', '_G' }
-- stylua breaks lines where it can.
max_line_length = false
self = false
files['extensions/neovim/tests'] = { globals = { 'arg' } }
