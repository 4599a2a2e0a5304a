// Copyright The ctx-lsp authors. MIT licence.

// Follows a phase with the front ends that run all the time: a daemon whose client watches the folder, and the plain
// form of top.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** Reads framed messages from a stream. */
function framed(stream, take) {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = end < 0 ? undefined : /content-length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1];
      if (length === undefined || rest.length < end + 4 + Number(length)) return;
      const body = rest.subarray(end + 4, end + 4 + Number(length));
      rest = rest.subarray(end + 4 + Number(length));
      take(JSON.parse(body));
    }
  });
}

/**
 * Starts both, and returns what they said last: `daemon(session)` is a Reading, `top(session)` a line. `log` is a file
 * for their messages.
 */
export function watch(program, cwd, env, log) {
  const readings = new Map();
  const lines = [];
  const serve = spawn(program, ['serve'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    serve.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  framed(serve.stdout, ({ id, method, params, result }) => {
    if (id !== undefined && method) return send({ id, result: null });
    if (id === 1) {
      send({ method: 'initialized', params: {} });
      send({ id: 2, method: 'ctx/watch', params: { workspace: cwd, folders: [cwd] } });
    }
    if (id === 2) for (const each of result?.sessions ?? []) readings.set(each.session, each);
    if (method === 'ctx/reading') readings.set(params.session, params);
    if (method === 'ctx/closed') readings.delete(params.session);
  });
  send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
  const top = spawn(program, ['top', '--plain', '--here'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  top.stdout.on('data', (chunk) => {
    lines.push(...chunk.toString().split('\n').filter(Boolean));
    appendFileSync(log, chunk);
  });
  for (const child of [serve, top]) child.on('error', () => {});
  serve.stdin.on('error', () => {});
  return {
    daemon: (session) => readings.get(session),
    /** The last line about the session since the last call; top prints changes, with the beginning of the id. */
    top: (session) => lines.splice(0).findLast((line) => line.includes(session.slice(0, 8)) && /\d+%/.test(line)),
    end: () => {
      for (const child of [serve, top]) child.kill();
    },
  };
}
