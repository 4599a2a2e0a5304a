-- Copyright The ctx-lsp authors. MIT licence.

---@brief
---
--- https://github.com/ctx-lsp/ctx-lsp
---
--- How full the context window of a coding agent is, and what prompt files such as AGENTS.md and CLAUDE.md cost: in
--- every request, by section and by import, with diagnostics of what is missing, repeated or over budget.
---
--- `go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest`

---@type vim.lsp.Config
return {
  cmd = { 'ctx-lsp', 'serve', '--shared' },
  filetypes = { 'markdown' },
  root_markers = { 'AGENTS.md', 'CLAUDE.md', '.git' },
  settings = { ctx = { notify = { level = 'soon' } } },
}
