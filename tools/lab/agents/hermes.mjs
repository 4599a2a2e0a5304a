// Copyright The ctx-lsp authors. MIT licence.

/** Hermes: Chat Completions, with a provider of its own in config.yaml. It compacts before a request. */
export default {
  id: 'hermes',
  name: 'Hermes',
  package: 'hermes-agent',
  extras: '[mcp]',
  python: '3.11',
  program: 'hermes',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'before',
  window: 100_000,
  sessions: '.hermes/state.db',

  files: ({ origin, server, small }) => ({
    '.hermes/config.yaml': `model:
  default: gpt-5.5
  provider: custom
  base_url: ${origin}/v1
  api_key: dummy
  context_length: ${small ?? 262_144}
mcp_servers:
  lab20:
    command: ${server.command}
    args: ["${server.args[0]}"]
`,
  }),
  environment: () => ({ HERMES_YOLO_MODE: '1', HERMES_ACCEPT_HOOKS: '1' }),
  prompt: (text) => ['chat', '--yolo', '-Q', '-q', text],
  resume: (text) => ['chat', '--yolo', '-Q', '--continue', '-q', text],
};
