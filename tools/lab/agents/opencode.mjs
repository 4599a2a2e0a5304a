// Copyright The ctx-lsp authors. MIT licence.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** What OpenCode would download: without it, loading a skill fails. */
const ripgrep = `@vscode/ripgrep-${process.platform}-${process.arch}`;

/** The settings of OpenCode and of its forks: a provider and a server of ours, and nothing that has to be allowed. */
export const settings = ({ origin, server, small }) =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    provider: {
      lab: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Lab',
        options: { baseURL: `${origin}/v1`, apiKey: 'dummy' },
        models: Object.fromEntries(
          ['gpt-5.5', 'gpt-5.4'].map((id) => [
            id,
            { name: 'Lab', tool_call: true, limit: { context: small ?? 200_000, output: 16_000 } },
          ]),
        ),
      },
    },
    model: 'lab/gpt-5.5',
    small_model: 'lab/gpt-5.5',
    permission: 'allow',
    mcp: server ? { lab20: { type: 'local', command: [server.command, ...server.args], enabled: true } } : {},
  });

/** OpenCode: Chat Completions, with a provider of its own. It compacts after a response that reached the limit. */
export default {
  id: 'opencode',
  name: 'OpenCode',
  package: 'opencode-ai',
  program: 'opencode',
  also: [ripgrep],
  helpers: [`../${ripgrep}/bin/rg`],
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'after',
  window: 60_000,
  sessions: '.local/share/opencode/opencode.db',
  switchesServers: true,
  workspace: { skillFolders: ['.opencode/skills'] },

  files: (lab) => ({ '.config/opencode/opencode.json': settings(lab) }),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  // The database becomes the document that the agent exports.
  async export({ run, home, ask }) {
    const { sessions } = JSON.parse((await ask(['sessions', '--json'])).output);
    const { text } = await run(['export', sessions[0].session]);
    const file = path.join(home, 'export.json');
    writeFileSync(file, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  },
  recorded: 'export.json',
  prompt: (text) => ['run', text],
  resume: (text, { model } = {}) => ['run', '-c', ...(model ? ['-m', `lab/${model}`] : []), text],
  other: 'gpt-5.4',
  screen: [],
  clears: ['/new', 'Enter'],
};
