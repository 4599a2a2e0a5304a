// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/agent and core/promptfile by `make generated`. DO NOT EDIT.

/** What is known of an agent. */
export interface Agent {
  /** As readings have it. */
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  /** What makes room in its window: a command that is typed, or the name of a button. */
  readonly compactCommand?: string;
  /** The view types of its tabs. */
  readonly webview?: RegExp;
  /** How it is started with a first prompt: the words before the prompt. */
  readonly start?: string;
}

/** The agents. A tab belongs to the first whose pattern fits. */
export const agents: readonly Agent[] = [
  { id: 'claude-code', name: 'Claude Code', compactCommand: '/compact', webview: /claudeVSCodePanel|claude-code/i, start: 'claude' },
  { id: 'codex', name: 'Codex', compactCommand: '/compact', webview: /chatgpt|codex/i, start: 'codex' },
  { id: 'opencode', name: 'OpenCode', compactCommand: '/compact', webview: /opencode/i, start: 'opencode --prompt' },
  { id: 'kilo', name: 'Kilo CLI', compactCommand: '/compact' },
  { id: 'gemini-cli', name: 'Gemini CLI', compactCommand: '/compress', webview: /gemini/i, start: 'gemini -i' },
  { id: 'qwen-code', name: 'Qwen Code', compactCommand: '/compress', start: 'qwen -i' },
  { id: 'copilot-cli', name: 'Copilot CLI', compactCommand: '/compact', start: 'copilot -i' },
  { id: 'roo-code', name: 'Roo Code', compactCommand: 'Condense Context', webview: /roo-cline|roo-code/i },
  { id: 'cline', name: 'Cline', compactCommand: '/compact', webview: /claude-dev|cline/i },
  { id: 'kilo-code', name: 'Kilo Code', compactCommand: 'Condense Context', webview: /kilo-code/i },
  { id: 'crush', name: 'Crush', compactCommand: 'Summarize Session' },
  { id: 'goose', name: 'Goose', compactCommand: '/summarize' },
  { id: 'amp', name: 'Amp', compactCommand: 'Handoff', webview: /\bamp\b/i },
  { id: 'zed', name: 'Zed', compactCommand: 'New From Summary' },
  { id: 'continue', name: 'Continue', compactCommand: '/compact', webview: /continue\./i },
  { id: 'aider', name: 'Aider', compactCommand: '/drop or /clear' },
  { id: 'mini-swe-agent', name: 'mini-SWE-agent' },
  { id: 'dexto', name: 'Dexto', compactCommand: '/compact' },
  { id: 'codelet', name: 'codelet' },
  { id: 'copilot', name: 'GitHub Copilot', compactCommand: '/compact' },
  { id: 'cursor', name: 'Cursor', compactCommand: '/summarize' },
  { id: 'windsurf', name: 'Windsurf' },
  { id: 'antigravity', name: 'Antigravity' },
  { id: 'kiro', name: 'Kiro', compactCommand: '/compact' },
  { id: 'hermes', name: 'Hermes', compactCommand: '/compress' },
  { id: 'pi', name: 'Pi', compactCommand: '/compact' },
  { id: 'omp', name: 'Oh My Pi', compactCommand: '/compact' },
  { id: 'prime', name: 'Prime Agent', compactCommand: '/compact' },
  { id: 'openclaw', name: 'OpenClaw', compactCommand: '/compact' },
  { id: 'kimi-code', name: 'Kimi Code', compactCommand: '/compact' },
  { id: 'kimi-cli', name: 'Kimi CLI', compactCommand: '/compact' },
  { id: 'dsh', name: 'DeepSeek Harness', compactCommand: '/compact' },
  { id: 'droid', name: 'Factory Droid', compactCommand: '/compress' },
  { id: 'grok', name: 'Grok Build', compactCommand: '/compact' },
  { id: 'vibe', name: 'Mistral Vibe', compactCommand: '/compact' },
  { id: 'zoo-code', name: 'Zoo Code', compactCommand: 'Condense Context', webview: /zoo-code/i },
  { id: 'openclaude', name: 'OpenClaude', compactCommand: '/compact' },
  { id: 'iflow', name: 'iFlow CLI', compactCommand: '/compress' },
  { id: 'mimocode', name: 'MiMo Code', compactCommand: '/compact' },
  { id: 'zcode', name: 'ZCode', compactCommand: '/compact' },
];

/** The files that agents read by themselves. */
export const promptFileGlobs: readonly string[] = [
  '**/AGENTS.md',
  '**/AGENTS.override.md',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/GEMINI.md',
  '**/QWEN.md',
  '**/CRUSH.md',
  '**/CRUSH.local.md',
  '**/SKILL.md',
  '**/.cursorrules',
  '**/.windsurfrules',
  '**/.clinerules',
  '**/.roorules',
  '**/.goosehints',
  '**/.github/copilot-instructions.md',
  '**/*.mdc',
  '**/*.instructions.md',
  '**/*.prompt.md',
  '**/*.chatmode.md',
  '**/*.agent.md',
  '**/.claude/rules/**/*.md',
  '**/.claude/agents/**/*.md',
  '**/.claude/commands/**/*.md',
  '**/.windsurf/rules/**/*.md',
  '**/.clinerules/**/*.md',
  '**/.roo/rules/**/*.md',
  '**/.roo/rules-*/**/*.md',
];

/** The files in which settings of agents and MCP servers are written. */
export const settingsFileGlobs: readonly string[] = [
  '**/.claude.json',
  '**/.claude/settings.json',
  '**/.claude/settings.local.json',
  '**/.codex/config.toml',
  '**/.config/kilo/kilo.json',
  '**/.config/kilo/kilo.jsonc',
  '**/.config/opencode/opencode.json',
  '**/.config/opencode/opencode.jsonc',
  '**/.config/zed/settings.json',
  '**/.copilot/mcp-config.json',
  '**/.cursor/mcp.json',
  '**/.gemini/settings.json',
  '**/.grok/config.toml',
  '**/.kilo/kilo.json',
  '**/.kilo/kilo.jsonc',
  '**/.kimi-code/config.toml',
  '**/.kimi/config.toml',
  '**/.mcp.json',
  '**/.omp/agent/models.json',
  '**/.omp/agent/settings.json',
  '**/.omp/settings.json',
  '**/.opencode/opencode.json',
  '**/.opencode/opencode.jsonc',
  '**/.pi/agent/models.json',
  '**/.pi/agent/settings.json',
  '**/.pi/settings.json',
  '**/.prime/agent/models.json',
  '**/.prime/agent/settings.json',
  '**/.prime/settings.json',
  '**/.qwen/settings.json',
  '**/.vibe/config.toml',
  '**/.vscode/mcp.json',
  '**/.zed/settings.json',
  '**/kilo.json',
  '**/kilo.jsonc',
  '**/opencode.json',
  '**/opencode.jsonc',
];
