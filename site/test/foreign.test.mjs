// Copyright The ctx-lsp authors. MIT licence.

// Which agent's a line is, is told here and in core/agent. This holds the page's telling against the transcripts by
// which the program's readers are tested, so that neither learns a form that the other does not know.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { foreign } from '../try/foreign.js';

const lines = join(import.meta.dirname, '../../testdata/lines');
const records = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return []; // A torn line is among them on purpose.
      }
    });

for (const agent of readdirSync(lines)) {
  for (const name of readdirSync(join(lines, agent)).filter((n) => /\.jsonl?$/.test(n))) {
    test(`the page knows whose ${agent}/${name} is`, () => {
      const told = records(join(lines, agent, name))
        .map(foreign)
        .filter(Boolean);
      assert.equal(told[0], agent);
    });
  }
}

test('the page has no word for what is nobody else’s', () => {
  for (const record of [null, 7, [], {}, { role: 'user', content: 'Hello' }, { message: { content: 'Hello' } }]) {
    assert.equal(foreign(record), undefined, JSON.stringify(record));
  }
});
