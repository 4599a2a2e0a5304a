// Copyright The ctx-lsp authors. MIT licence.

/**
 * Copilot CLI, offline, with a provider of its own: Responses. It compacts in the background after a response that
 * reached the limit; by hand only in its terminal.
 */
export default {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  package: '@github/copilot',
  program: 'copilot',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'background',
  window: 60_000,
  sessions: '.copilot/session-state',
  switchesServers: true,

  files: ({ server }) => ({
    '.copilot/mcp-config.json': JSON.stringify({
      mcpServers: server ? { lab20: { type: 'local', ...server, tools: ['*'] } } : {},
    }),
  }),
  environment: ({ origin, small }) => ({
    ...(small ? { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(small) } : {}),
    COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_PROVIDER_WIRE_API: 'responses',
    COPILOT_MODEL: 'gpt-5.5',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  prompt: (text) => ['--allow-all', '--no-auto-update', '-p', text],
  resume: (text, { model } = {}) => [
    '--allow-all',
    '--no-auto-update',
    ...(model ? ['--model', model] : []),
    '--continue',
    '-p',
    text,
  ],
  other: 'gpt-5.4',
  screen: ['--allow-all', '--no-auto-update'],
  clears: ['/clear', 'Enter'],
  typed: () => ['--allow-all', '--no-auto-update', '--continue'],
  compact: '/compact',
};
