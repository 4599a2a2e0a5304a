// Copyright The ctx-lsp authors. MIT licence.

/** Kimi Code: Chat Completions, and a Node that is newer than most. The model is one that can be counted. */
export default {
  id: 'kimi-code',
  name: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  also: ['node@24'],
  program: 'kimi',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'before',
  window: 100_000,
  sessions: '.kimi-code/sessions',

  files: ({ server }) => ({ '.kimi-code/mcp.json': JSON.stringify({ mcpServers: { lab20: server } }) }),
  environment: ({ origin, small }) => ({
    KIMI_MODEL_NAME: 'gpt-5.5',
    KIMI_MODEL_API_KEY: 'dummy',
    KIMI_MODEL_BASE_URL: `${origin}/v1`,
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_MAX_CONTEXT_SIZE: String(small ?? 262_144),
    KIMI_DISABLE_TELEMETRY: '1',
  }),
  prompt: (text) => ['-p', text],
  resume: (text) => ['-c', '-p', text],
};
