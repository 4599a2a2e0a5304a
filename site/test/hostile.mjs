// Copyright The ctx-lsp authors. MIT licence.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sample = () =>
  readFileSync(join(import.meta.dirname, '../../testdata/sessions/claude-code/compacted.jsonl'), 'utf8');
const turn = (more) =>
  JSON.stringify({
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    isSidechain: false,
    message: { role: 'user', content: 'Hi' },
    ...more,
  });

/** Files that a user may drop, each with the message that the page must show, or a check of its Reading. */
export const hostile = () => [
  { name: 'an empty file', file: 'empty.jsonl', body: () => '', wanted: /^This file is empty/ },
  {
    name: 'a picture',
    file: 'a.png',
    body: () => Buffer.from([0x89, 0x50, 0x4e, 0x47, ...new Uint8Array(500)]),
    wanted: /is not text/,
  },
  {
    name: 'a database',
    file: 'state.db',
    body: () => `SQLite format 3\0${'x'.repeat(500)}`,
    wanted: /database.*program reads it; this page cannot/,
  },
  {
    name: 'a compressed file',
    file: 'a.jsonl.zst',
    body: () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2]),
    wanted: /zstd/,
  },
  { name: 'UTF-16', file: 'a.jsonl', body: () => Buffer.from(`\ufeff${turn()}\n`, 'utf16le'), wanted: /UTF-16/ },
  { name: 'prose', file: 'README.md', body: () => '# A title\n\nSome text.\n', wanted: /not a transcript.*no JSON/ },
  {
    name: "somebody else's JSON",
    file: 'package.json',
    body: () => '{\n  "name": "x",\n  "dependencies": {}\n}\n',
    wanted: /not a transcript of an agent/,
  },
  {
    name: "somebody else's lines",
    file: 'log.jsonl',
    body: () => '{"level":"info","msg":"up"}\n'.repeat(5000),
    wanted: /not a transcript of an agent/,
  },
  { name: 'a task of Cline', file: 'ui_messages.json', body: () => '[]', wanted: /folder of documents/ },
  { name: 'nothing but an array', file: 'a.json', body: () => '[]', wanted: /not a transcript/ },
  { name: 'a million brackets', file: 'deep.json', body: () => '['.repeat(1e6), wanted: /not a transcript/ },
  {
    name: 'a record of a million brackets',
    file: 'deep.jsonl',
    body: () => `${sample()}{"type":"user","x":${'['.repeat(4e5)}${']'.repeat(4e5)}}\n`,
    shows: (r) => r.used > 0,
  },
  {
    name: '20 MB without the end of a line',
    file: 'a.jsonl',
    body: () => `{"type":"user","text":"${'x'.repeat(20e6)}`,
    wanted: /not a transcript/,
  },
  {
    name: 'a line of 20 MB among others',
    file: 'a.jsonl',
    body: () => `${sample()}{"x":"${'y'.repeat(20e6)}"}\n${sample()}`,
    shows: (r, text) => r.used > 0 && /1 of them could not be/.test(text),
  },
  {
    name: 'torn lines, zeros and two records on a line',
    file: 'a.jsonl',
    body: () => `${sample()}\0\0\0\n{"type":"user","uu\n${turn()}${turn()}\n\n{{{{\n`,
    shows: (r) => r.used > 0,
  },
  {
    name: 'bytes that are no UTF-8',
    file: 'a.jsonl',
    body: () =>
      Buffer.concat([
        Buffer.from(sample()),
        Buffer.from(
          '{"type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"\xff\xfe\xc0"}}\n',
          'latin1',
        ),
      ]),
    shows: (r) => r.used > 0,
  },
  {
    name: 'numbers beyond all measure',
    file: 'a.jsonl',
    body: () =>
      `${sample()}{"type":"assistant","uuid":"z","parentUuid":"u","isSidechain":false,"message":{"role":"assistant","model":"m","content":[],"usage":{"input_tokens":1e308,"output_tokens":-5}}}\n`,
    shows: (r) => r.used < 2 ** 41,
  },
  {
    name: 'markup for names',
    file: 'a.jsonl',
    body: () =>
      `${turn({ cwd: '/<img src=x onerror=alert(1)>', gitBranch: '<script>alert(1)</script>' })}\n{"type":"custom-title","customTitle":"<img src=x onerror=alert(2)>","sessionId":"s"}\n`,
    shows: (r, text) => r.used > 0 && text.includes('<img src=x onerror=alert(2)>'),
  },
  {
    name: 'the mark of a byte order before a transcript',
    file: 'a.jsonl',
    body: () => `\ufeff${sample()}`,
    shows: (r) => r.used > 0,
  },
  {
    name: 'Windows ends of lines',
    file: 'a.jsonl',
    body: () => sample().replaceAll('\n', '\r\n'),
    shows: (r) => r.used > 0,
  },
];
