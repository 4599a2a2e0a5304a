// Copyright The ctx-lsp authors. MIT licence.

/** The names that people know the agents by. */
const names: Record<string, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  kilo: 'Kilo CLI',
  'kilo-code': 'Kilo Code',
  'gemini-cli': 'Gemini CLI',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  'copilot-cli': 'Copilot CLI',
  cline: 'Cline',
  'roo-code': 'Roo Code',
  aider: 'Aider',
  goose: 'Goose',
  qwen: 'Qwen Code',
  'qwen-code': 'Qwen Code',
  crush: 'Crush',
  amp: 'Amp',
  zed: 'Zed',
  continue: 'Continue',
  'mini-swe-agent': 'mini-SWE-agent',
  generic: '',
};

/** What to call an agent in a sentence; an agent without a name of its own is called by its id. */
export function agentName(id: string): string {
  return names[id] ?? id;
}

/** Which agent an editor tab belongs to, by the view type that its extension gave it. */
const webviews: readonly (readonly [RegExp, string])[] = [
  [/claudeVSCodePanel|claude-code/i, 'claude-code'],
  [/claude-dev|cline/i, 'cline'],
  [/roo-cline|roo-code/i, 'roo-code'],
  [/kilo-code/i, 'kilo-code'],
  [/chatgpt|codex/i, 'codex'],
  [/continue\./i, 'continue'],
  [/gemini/i, 'gemini-cli'],
  [/\bamp\b/i, 'amp'],
  [/opencode/i, 'opencode'],
];

export function agentOfWebview(viewType: string): string | undefined {
  return webviews.find(([pattern]) => pattern.test(viewType))?.[1];
}
