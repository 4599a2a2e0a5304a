// Copyright The ctx-lsp authors. MIT licence.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { programOf } from '../install.mjs';

// Prints the rows of a database, in JSON.
const rows = `import json, sqlite3, sys
of = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
of.row_factory = sqlite3.Row
for table in ['sessions', 'messages']:
    for row in of.execute(f'SELECT * FROM {table} ORDER BY rowid'):
        print(json.dumps({'kind': table, 'row': dict(row)}))`;

// A request in the log: its time, its session, and what was measured.
const request =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) \S+ \[(\S+)\] agent\.conversation_loop: API call #\d+: (.*)$/;

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
  switchesServers: true,

  files: ({ origin, server, small }) => ({
    '.hermes/config.yaml': `model:
  default: gpt-5.5
  provider: custom
  base_url: ${origin}/v1
  api_key: dummy
  context_length: ${small ?? 262_144}
${server ? `mcp_servers:\n  lab20:\n    command: ${server.command}\n    args: ["${server.args[0]}"]` : ''}
`,
  }),
  environment: () => ({ HERMES_YOLO_MODE: '1', HERMES_ACCEPT_HOOKS: '1' }),
  /** Returns the rows of its tables, and the requests in its log. */
  store(home) {
    const at = path.join(home, '.hermes');
    const program = programOf(this, 'python');
    const text = execFileSync(program, ['-c', rows, path.join(home, this.sessions)], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    const tables = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { row } of tables) if (/^\[/.test(row.tool_calls)) row.tool_calls = JSON.parse(row.tool_calls);
    const log = readFileSync(path.join(at, 'logs/agent.log'), 'utf8').split('\n');
    const requests = log.map((line) => request.exec(line)).filter(Boolean);
    if (requests.length === 0) throw new Error('the log of Hermes has no request');
    return [
      ...tables,
      ...requests.map(([, day, ms, session, fields]) => ({
        request: {
          time: new Date(`${day.replace(' ', 'T')}.${ms}`).getTime(),
          session_id: session,
          ...Object.fromEntries(fields.split(' ').map((field) => field.split('='))),
        },
      })),
    ];
  },
  prompt: (text) => ['chat', '--yolo', '-Q', '-q', text],
  resume: (text) => ['chat', '--yolo', '-Q', '--continue', '-q', text],
};
