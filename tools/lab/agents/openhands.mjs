// Copyright The ctx-lsp authors. MIT licence.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** OpenHands CLI: Chat Completions by LiteLLM. It condenses by the number of events, which no small window changes. */
export default {
  id: 'openhands',
  name: 'OpenHands',
  package: 'openhands',
  python: '3.12',
  program: 'openhands',
  family: 'o200k',
  model: 'gpt-5.5',
  sessions: '.openhands/conversations',

  files: ({ server }) => ({
    '.openhands/mcp.json': JSON.stringify({ mcpServers: { lab20: { transport: 'stdio', ...server, enabled: true } } }),
  }),
  environment: ({ origin }) => ({
    LLM_API_KEY: 'dummy',
    LLM_BASE_URL: `${origin}/v1`,
    LLM_MODEL: 'openai/gpt-5.5',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    OPENHANDS_SUPPRESS_BANNER: '1',
  }),
  replays(home) {
    const folder = path.join(home, this.sessions);
    return readdirSync(folder).map((id) => path.join(folder, id, 'base_state.json'));
  },
  /** Returns the files of the conversation as rows. */
  store(home) {
    const [state] = this.replays(home);
    const folder = path.dirname(state);
    const events = readdirSync(path.join(folder, 'events')).filter((name) => /^event-.*\.json$/.test(name));
    return ['base_state.json', ...events.sort().map((name) => `events/${name}`)].map((file) => ({
      file,
      content: JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
    }));
  },
  prompt: (text) => ['--headless', '--override-with-envs', '--yolo', '-t', text],
  resume: (text) => ['--headless', '--override-with-envs', '--yolo', '--resume', '--last', '-t', text],
};
