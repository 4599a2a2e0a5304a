// Copyright The ctx-lsp authors. MIT licence.

/** gptme: Chat Completions. It compacts after a step that reached its budget. */
export default {
  id: 'gptme',
  name: 'gptme',
  package: 'gptme',
  python: '3.11',
  program: 'gptme',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'after',
  window: 60_000,
  loadsReadme: true,
  sessions: '.local/share/gptme/logs',

  files: ({ server }) => ({
    '.config/gptme/config.toml': `[prompt]
about_user = "A user of the lab."
[env]
MODEL = "local/gpt-5.5"
[mcp]
enabled = true
auto_start = true
[[mcp.servers]]
name = "lab20"
enabled = true
command = "${server.command}"
args = ["${server.args[0]}"]
`,
  }),
  environment: ({ origin, small }) => ({
    OPENAI_BASE_URL: `${origin}/v1`,
    OPENAI_API_KEY: 'dummy',
    GPTME_CHECK: 'false',
    ...(small ? { GPTME_CONTEXT_BUDGET: String(small) } : {}),
  }),
  prompt: (text) => ['-n', '--no-confirm', '--tool-format', 'tool', '-m', 'local/gpt-5.5', text],
  resume: (text) => ['-n', '--no-confirm', '--tool-format', 'tool', '-m', 'local/gpt-5.5', '--resume', text],
};
