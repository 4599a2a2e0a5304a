// Copyright The ctx-lsp authors. MIT licence.

/** mini-SWE-agent: Chat Completions by LiteLLM, and one tool. It has no MCP, no resume and no compaction. */
export default {
  id: 'mini-swe-agent',
  name: 'mini-SWE-agent',
  package: 'mini-swe-agent',
  python: '3.11',
  program: 'mini',
  family: 'o200k',
  model: 'gpt-5.5',
  sessions: '.config/mini-swe-agent',
  unplaced: true,
  ends: 'bash:echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT',

  files: () => ({}),
  environment: ({ origin }) => ({
    MSWEA_CONFIGURED: 'true',
    MSWEA_COST_TRACKING: 'ignore_errors',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    OPENAI_API_KEY: 'dummy',
    OPENAI_API_BASE: `${origin}/v1`,
  }),
  prompt: (text) => ['-y', '--exit-immediately', '-l', '0', '-m', 'openai/gpt-5.5', '-t', text],
};
