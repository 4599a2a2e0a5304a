// Copyright The ctx-lsp authors. MIT licence.

/**
 * Which documents are prompt files: the names that agents read by themselves. The daemon has the same list;
 * it decides, this one only keeps the editor from sending it every file.
 */
export const promptFileGlobs: readonly string[] = [
  '**/{AGENTS,AGENT,AGENTS.override,CLAUDE,CLAUDE.local,GEMINI,QWEN,CRUSH,SKILL,CONVENTIONS,WARP}.md',
  '**/.{claude,codex,opencode,gemini,qwen,goose,kilocode,roo,clinerules,amp,agents}/**/*.{md,mdc}',
  '**/{.cursorrules,.windsurfrules,.clinerules,.roorules,.goosehints,.rules}',
  '**/.cursor/rules/**/*.{md,mdc}',
  '**/.windsurf/rules/**/*.md',
  '**/.github/copilot-instructions.md',
  '**/*.{instructions,prompt,chatmode,agent}.md',
];

/** The same as a document selector. */
export const promptFileSelector = promptFileGlobs.map((pattern) => ({ pattern }));
