// Copyright The ctx-lsp authors. MIT licence.

/** Qwen Code: Chat Completions. It compacts before a request that would reach the threshold. */
export default {
  id: 'qwen-code',
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  program: 'qwen',
  family: 'qwen',
  model: 'qwen3-coder-plus',
  compacts: 'before',
  window: 90_000,
  at: '/srv', // its prompt has seven paths, and no user's home is as deep as the lab's folder
  sessions: '.qwen/projects',
  switchesServers: true,
  workspace: { memoryFiles: ['QWEN.md'], skillFolders: ['.qwen/skills'] },

  files: ({ server, small }) => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: server ? { lab20: { ...server, trust: true } } : {},
      ...(small ? { model: { generationConfig: { contextWindowSize: small } } } : {}),
    }),
  }),
  environment: ({ origin }) => ({
    OPENAI_BASE_URL: `${origin}/v1`,
    OPENAI_API_KEY: 'dummy',
    OPENAI_MODEL: 'qwen3-coder-plus',
  }),
  prompt: (text) => ['-y', '--auth-type', 'openai', '-p', text],
  resume: (text, { model } = {}) => [
    '-y',
    '--auth-type',
    'openai',
    ...(model ? ['-m', model] : []),
    '--continue',
    '-p',
    text,
  ],
  other: 'qwen3-max',
  screen: ['-y', '--auth-type', 'openai'],
  clears: ['/clear', 'Enter'],
};
