-- Copyright The ctx-lsp authors. MIT licence.

-- For neovim/nvim-lspconfig, as lsp/ctx_lsp.lua; without this comment.

---@brief
---
--- https://github.com/ctx-lsp/ctx-lsp
---
--- How full a coding agent's context window is, and what AGENTS.md, CLAUDE.md, SKILL.md and similar files cost in every
--- request: inlay hints, hovers, code lenses and diagnostics.
---
--- `npm install -g ctx-lsp` installs the server.

---@type vim.lsp.Config
return {
  cmd = { 'ctx-lsp', 'serve', '--shared' },
  filetypes = { 'markdown', 'mdc' },
  root_markers = { 'AGENTS.md', 'CLAUDE.md', '.git' },
}
