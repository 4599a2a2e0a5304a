// Copyright The ctx-lsp authors. MIT licence.

/** Claude Code: Messages. It compacts before a request that would reach the threshold. */
export default {
  id: 'claude-code',
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  program: 'claude',
  family: 'claude',
  model: 'claude-opus-5',
  compacts: 'before',
  window: 100_000,
  sessions: '.claude/projects',
  workspace: { memoryFiles: ['CLAUDE.md'], skillFolders: ['.claude/skills'] },

  files: ({ server, small, folder, hooks }) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      autoUpdates: false,
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: ['-dummy-00000000000'], rejected: [] },
      projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
      mcpServers: { lab20: { type: 'stdio', ...server } },
    }),
    '.claude/settings.json': JSON.stringify({
      skipDangerousModePermissionPrompt: true,
      ...(small ? { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(small) } } : {}),
      ...hooks,
    }),
  }),
  environment: ({ origin }) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: 'sk-ant-lab-dummy-00000000000',
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  // MCP tools are offered by name, and can be called after a search.
  script: 'ls,read:README.md,search:3,mcp:3',
  prompt: (text) => ['-p', '--dangerously-skip-permissions', '--model', 'claude-opus-5', text],
  resume: (text) => ['-p', '--dangerously-skip-permissions', '--model', 'claude-opus-5', '--continue', text],
  compact: '/compact',
};
