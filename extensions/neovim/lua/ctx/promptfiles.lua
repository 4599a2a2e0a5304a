-- Copyright The ctx-lsp authors. MIT licence.

-- Code generated from core/agent and core/promptfile by `make generated`. DO NOT EDIT.

--- The files that agents read by themselves, as autocommand patterns.
---@type string[]
return {
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'QWEN.md',
  'CRUSH.md',
  'CRUSH.local.md',
  'SKILL.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  '.goosehints',
  '*/.github/copilot-instructions.md',
  '*.mdc',
  '*.instructions.md',
  '*.prompt.md',
  '*.chatmode.md',
  '*.agent.md',
  '*/.claude/rules/*.md',
  '*/.claude/agents/*.md',
  '*/.claude/commands/*.md',
  '*/.windsurf/rules/*.md',
  '*/.clinerules/*.md',
  '*/.roo/rules/*.md',
  '*/.roo/rules-*/*.md',
}
