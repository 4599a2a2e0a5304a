// Copyright The ctx-lsp authors. MIT licence.

/** Codex: Responses, with a provider of its own in config.toml. It compacts before a request reaches the limit. */
export default {
  id: 'codex',
  name: 'Codex',
  package: '@openai/codex',
  program: 'codex',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'before',
  window: 60_000,
  sessions: '.codex/sessions',
  switchesServers: true,

  files: ({ origin, folder, server, small }) => ({
    '.codex/config.toml': `model = "gpt-5.5"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
${small ? `model_context_window = ${small}` : ''}
[model_providers.lab]
name = "lab"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
[projects."${folder}"]
trust_level = "trusted"
[analytics]
enabled = false
${server ? `[mcp_servers.lab20]\ncommand = "${server.command}"\nargs = ["${server.args[0]}"]` : ''}
`,
  }),
  environment: () => ({ LAB_KEY: 'dummy' }),
  // MCP tools can be called after a search.
  script: 'ls,read:README.md,search:3,mcp:3',
  prompt: (text) => ['exec', '--skip-git-repo-check', text],
  resume: (text, { model } = {}) => [
    'exec',
    '--skip-git-repo-check',
    'resume',
    '--last',
    ...(model ? ['-m', model] : []),
    text,
  ],
  other: 'gpt-5.4',
  screen: ['-m', 'gpt-5.5', '--dangerously-bypass-approvals-and-sandbox'],
  clears: ['/new', 'Enter'],
};
