// Copyright The ctx-lsp authors. MIT licence.

import { template } from '../asking.mjs';

const key = 'sk-ant-lab-dummy-0000000000000000';

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
  switchesServers: true,
  workspace: { memoryFiles: ['CLAUDE.md'], skillFolders: ['.claude/skills'] },

  files: ({ server, small, folder, watched }) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      autoUpdates: false,
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
      mcpServers: server ? { lab20: { type: 'stdio', ...server } } : {},
    }),
    '.claude/settings.json': JSON.stringify({
      skipDangerousModePermissionPrompt: true,
      ...(small ? { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(small) } } : {}),
      ...(watched
        ? {
            statusLine: { type: 'command', command: `ctx-lsp statusline '--template=${template}'` },
            hooks: Object.fromEntries(
              ['UserPromptSubmit', 'PostToolUse', 'SessionStart'].map((event) => [
                event,
                [{ hooks: [{ type: 'command', command: 'ctx-lsp hook' }] }],
              ]),
            ),
          }
        : {}),
    }),
  }),
  environment: ({ origin }) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: key,
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  // MCP tools are offered by name, and can be called after a search.
  script: 'ls,read:README.md,search:3,mcp:3',
  prompt: (text) => ['-p', '--dangerously-skip-permissions', '--model', 'claude-opus-5', text],
  resume: (text, { model = 'claude-opus-5' } = {}) => [
    '-p',
    '--dangerously-skip-permissions',
    '--model',
    model,
    '--continue',
    text,
  ],
  other: 'claude-sonnet-4-6',
  compact: '/compact',
  terminal: ['--dangerously-skip-permissions', '--model', 'claude-opus-5'],
  screen: ['--dangerously-skip-permissions', '--model', 'claude-opus-5'],
  clears: ['/clear', 'Enter'],
  rewinds: ['/rewind', 'Enter', 'Up', 'Enter', 'Enter'],
};
