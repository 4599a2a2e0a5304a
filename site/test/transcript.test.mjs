// Copyright The ctx-lsp authors. MIT licence.

// The page's feed passes transcripts of all agents that store sessions as text to the core, which recognizes the agent.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../wasm/js/ctx.js';
import { readFiles } from '../try/transcript.js';

const root = join(import.meta.dirname, '../..');
const module = await WebAssembly.compile(await readFile(join(root, 'wasm/js/ctx.wasm')));
const vocabularies = (name) => readFile(join(root, `internal/assets/${name}.ctxv`));
const lines = join(root, 'testdata/lines');

for (const agent of readdirSync(lines)) {
  for (const name of readdirSync(join(lines, agent)).filter((n) => n.endsWith('.jsonl'))) {
    test(`the page reads ${agent}/${name}`, async () => {
      const core = await load(module, { vocabularies });
      const file = new File([await readFile(join(lines, agent, name))], name);
      const feed = await readFiles(core, 'dropped', [file], () => {});
      const reading = await core.call('ctx/session/reading', { id: 'dropped' });
      assert.equal(feed.agent, agent);
      assert.equal(reading.agent, agent);
      assert.ok(reading.used > 0);
    });
  }
}
