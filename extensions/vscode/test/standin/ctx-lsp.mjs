#!/usr/bin/env node
// Copyright The ctx-lsp authors. MIT licence.

import { readFileSync, watchFile, writeFileSync } from 'node:fs';
// A stand-in for the daemon, for tests of what a well-behaved daemon never does: it speaks the protocol over stdio,
// shows the sessions that a file describes, and misbehaves on request.
//
//   CTX_STANDIN          a JSON file {"sessions":[Reading…]}; each write to it is sent as ctx/reading,
//                        and counted in a file beside it, with the ending “.sent”
//   CTX_STANDIN_VERSION  replaces the answer to `version --json`
//   CTX_STANDIN_MODE     "crash" (ends at start), "silent" (never answers), "deaf" (answers nothing but initialize)
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const mode = process.env.CTX_STANDIN_MODE ?? '';

if (process.argv[2] === 'version') {
  console.log(
    process.env.CTX_STANDIN_VERSION ??
      JSON.stringify({
        schema: 'ctx.version/1',
        version: '0.0.0-standin',
        reading: 'ctx.reading/3',
        ledger: 'ctx.ledger/2',
      }),
  );
  process.exit(0);
}
if (process.argv[2] === 'doctor') {
  process.exit(2);
}
if (mode === 'crash') {
  process.exit(7);
}

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-jsonrpc/node');
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const file = process.env.CTX_STANDIN;
const sessions = () => (file ? JSON.parse(readFileSync(file, 'utf8')).sessions : []);
const never = () => new Promise(() => {});

connection.onRequest('initialize', () =>
  mode === 'silent' ? never() : { capabilities: {}, serverInfo: { name: 'ctx-lsp', version: '0.0.0-standin' } },
);
connection.onRequest('shutdown', () => null);
connection.onNotification('exit', () => process.exit(0));
connection.onRequest('ctx/watch', () => (mode === 'deaf' ? never() : { sessions: sessions() }));
connection.onRequest('ctx/unwatch', () => ({}));
connection.onRequest('ctx/focus', ({ session }) => sessions().find((s) => s.session === session) ?? null);
if (file) {
  let sent = 0;
  watchFile(file, { interval: 50 }, () => {
    for (const reading of sessions()) {
      connection.sendNotification('ctx/reading', reading);
    }
    writeFileSync(`${file}.sent`, String(++sent));
  });
}
connection.listen();
