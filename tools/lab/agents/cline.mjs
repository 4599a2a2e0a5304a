// Copyright The ctx-lsp authors. MIT licence.

import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns the id of the newest session: ids begin with a time. */
const newest = (home) => readdirSync(path.join(home, '.cline/data/sessions')).sort().at(-1);

/**
 * Cline CLI: Chat Completions. It continues a task only in a terminal. It assumes 128,000 tokens for a provider of the
 * user's own, and compacts after a response that reached 90% of them.
 */
export default {
  id: 'cline',
  name: 'Cline CLI',
  package: 'cline',
  program: 'cline',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'after',
  window: 128_000,
  steps: 50,
  sessions: '.cline/data/sessions',

  files: ({ server }) => ({
    '.cline/data/settings/cline_mcp_settings.json': JSON.stringify({ mcpServers: { lab20: server } }),
  }),
  environment: () => ({ CLINE_NO_AUTO_UPDATE: '1' }),
  before: ({ origin }) => ['auth', '-p', 'openai', '-k', 'dummy', '-m', 'gpt-5.5', '-b', `${origin}/v1`],
  prompt: (text) => [text],
  typed: ({ home }) => ['-i', '--id', newest(home)],
  compact: '/compact',
};
