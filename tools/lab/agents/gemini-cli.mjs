// Copyright The ctx-lsp authors. MIT licence.

/**
 * Gemini CLI: Gemini's API. It compacts after a response that reached the limit. A resumed process estimates the prompt
 * until its first response, without the system prompt and the tools.
 */
export default {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  program: 'gemini',
  family: 'gemini',
  model: 'gemini-3-pro-preview',
  compacts: 'step',
  turns: true,
  window: 0.03,
  sessions: '.gemini/tmp',
  switchesServers: true,
  asks: true,
  workspace: { memoryFiles: ['GEMINI.md'], skillFolders: ['.agents/skills'] },

  files: ({ server, small }) => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: server ? { lab20: { ...server, trust: true } } : {},
      ...(small ? { model: { compressionThreshold: small } } : {}),
    }),
  }),
  environment: ({ origin }) => ({
    GOOGLE_GEMINI_BASE_URL: origin,
    GEMINI_API_KEY: 'dummy',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  prompt: (text) => ['-y', '-m', 'gemini-3-pro-preview', '-p', text],
  resume: (text, { model = 'gemini-3-pro-preview' } = {}) => ['-y', '-m', model, '--resume', 'latest', '-p', text],
  other: 'gemini-2.5-pro',
  screen: ['-y', '-m', 'gemini-3-pro-preview'],
  clears: ['/clear', 'Enter'],
};
