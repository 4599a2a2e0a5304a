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
  /** What its reader was compared with, and the version or the month of that. */
  readonly proof?: readonly ['lab' | 'fixtures' | 'estimated' | 'described', string];
}

/** The agents. A tab belongs to the first whose pattern fits. */
export const agents: readonly Agent[] = [
  { id: 'claude-code', name: 'Claude Code', compactCommand: '/compact', webview: /claudeVSCodePanel|claude-code/i, start: 'claude', proof: ['lab', '2.1.332'] },
  { id: 'codex', name: 'Codex', compactCommand: '/compact', webview: /chatgpt|codex/i, start: 'codex', proof: ['lab', '0.171.0'] },
  { id: 'opencode', name: 'OpenCode', compactCommand: '/compact', webview: /opencode/i, start: 'opencode --prompt', proof: ['lab', '1.18.33'] },
  { id: 'kilo', name: 'Kilo CLI', compactCommand: '/compact', proof: ['lab', '7.7.9'] },
  { id: 'gemini-cli', name: 'Gemini CLI', compactCommand: '/compress', webview: /gemini/i, start: 'gemini -i', proof: ['lab', '0.61.0'] },
  { id: 'qwen-code', name: 'Qwen Code', compactCommand: '/compress', start: 'qwen -i', proof: ['lab', '0.24.4'] },
  { id: 'copilot-cli', name: 'Copilot CLI', compactCommand: '/compact', start: 'copilot -i', proof: ['lab', '1.0.102'] },
  { id: 'roo-code', name: 'Roo Code', compactCommand: 'Condense Context', webview: /roo-cline|roo-code/i, proof: ['fixtures', '2026-11'] },
  { id: 'cline', name: 'Cline', compactCommand: '/compact', webview: /claude-dev|cline/i, proof: ['lab', '3.0.65'] },
  { id: 'kilo-code', name: 'Kilo Code', compactCommand: 'Condense Context', webview: /kilo-code/i, proof: ['fixtures', '2026-11'] },
  { id: 'crush', name: 'Crush', compactCommand: 'Summarize Session', proof: ['fixtures', '2026-11'] },
  { id: 'goose', name: 'Goose', compactCommand: '/summarize', proof: ['fixtures', '2026-11'] },
  { id: 'amp', name: 'Amp', compactCommand: 'Handoff', webview: /\bamp\b/i },
  { id: 'zed', name: 'Zed', compactCommand: 'New From Summary', proof: ['fixtures', '2026-11'] },
  { id: 'continue', name: 'Continue', compactCommand: '/compact', webview: /continue\./i, proof: ['fixtures', '2026-11'] },
  { id: 'aider', name: 'Aider', compactCommand: '/drop or /clear' },
  { id: 'mini-swe-agent', name: 'mini-SWE-agent', proof: ['lab', '2.4.6'] },
  { id: 'dexto', name: 'Dexto', compactCommand: '/compact' },
  { id: 'codelet', name: 'codelet' },
  { id: 'copilot', name: 'GitHub Copilot', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'cursor', name: 'Cursor', compactCommand: '/summarize', proof: ['estimated', '2026-11'] },
  { id: 'windsurf', name: 'Windsurf' },
  { id: 'antigravity', name: 'Antigravity', proof: ['fixtures', '2026-11'] },
  { id: 'kiro', name: 'Kiro', compactCommand: '/compact', proof: ['estimated', '2026-11'] },
  { id: 'hermes', name: 'Hermes', compactCommand: '/compress', proof: ['lab', '0.19.0'] },
  { id: 'pi', name: 'Pi', compactCommand: '/compact', proof: ['lab', '1.6.0'] },
  { id: 'omp', name: 'Oh My Pi', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'prime', name: 'Prime Agent', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'openclaw', name: 'OpenClaw', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'kimi-code', name: 'Kimi Code', compactCommand: '/compact', proof: ['lab', '2.1.0'] },
  { id: 'kimi-cli', name: 'Kimi CLI', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'dsh', name: 'DeepSeek Harness', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'droid', name: 'Factory Droid', compactCommand: '/compress', proof: ['fixtures', '2026-11'] },
  { id: 'grok', name: 'Grok Build', compactCommand: '/compact', proof: ['estimated', '2026-11'] },
  { id: 'vibe', name: 'Mistral Vibe', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'zoo-code', name: 'Zoo Code', compactCommand: 'Condense Context', webview: /zoo-code/i, proof: ['fixtures', '2026-11'] },
  { id: 'openclaude', name: 'OpenClaude', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'iflow', name: 'iFlow CLI', compactCommand: '/compress', proof: ['fixtures', '2026-11'] },
  { id: 'mimocode', name: 'MiMo Code', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'zcode', name: 'ZCode', compactCommand: '/compact', proof: ['fixtures', '2026-11'] },
  { id: 'gptme', name: 'gptme', compactCommand: '/compact', proof: ['lab', '0.35.1'] },
  { id: 'openhands', name: 'OpenHands', compactCommand: '/condense', proof: ['lab', '1.16.0'] },
  { id: 'copilot-jetbrains', name: 'JetBrains Copilot', proof: ['described', '2026-04'] },
  { id: 'junie', name: 'Junie', proof: ['described', '2026-08'] },
  { id: 'auggie', name: 'Auggie', proof: ['described', '2026-07'] },
  { id: 'devin', name: 'Devin CLI', proof: ['described', '2026-09'] },
  { id: 'qoder', name: 'Qoder', compactCommand: '/compact', proof: ['described', '2026-11'] },
  { id: 'augure', name: 'Augure Code', compactCommand: '/compact', proof: ['described', '2026-11'] },
  { id: 'traex', name: 'TraeX', compactCommand: '/compact', proof: ['described', '2026-11'] },
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
  '**/.cline/data/settings/cline_mcp_settings.json',
  '**/.codex/config.toml',
  '**/.config/gptme/config.toml',
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
  '**/gptme.toml',
  '**/kilo.json',
  '**/kilo.jsonc',
  '**/opencode.json',
  '**/opencode.jsonc',
];
