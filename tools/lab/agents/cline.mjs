// Copyright The ctx-lsp authors. MIT licence.

/** Cline CLI: Chat Completions. It has no command that continues a task without a terminal. */
export default {
  id: 'cline',
  name: 'Cline CLI',
  package: 'cline',
  program: 'cline',
  family: 'o200k',
  model: 'gpt-5.5',
  sessions: '.cline/data/sessions',

  files: () => ({}),
  environment: () => ({ CLINE_NO_AUTO_UPDATE: '1' }),
  before: ({ origin }) => ['auth', '-p', 'openai', '-k', 'dummy', '-m', 'gpt-5.5', '-b', `${origin}/v1`],
  prompt: (text) => ['-y', text],
};
