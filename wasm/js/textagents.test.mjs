// Copyright The ctx-lsp authors. MIT licence.

// Sessions of agents that store them as text are saved after each record, restored and continued: each Reading must be
// byte for byte that of a session that was never saved. internal/engine does the same natively and under wazero.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from './ctx.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const module = await WebAssembly.compile(await readFile(here('ctx.wasm')));
const vocabularies = (name) => readFile(here(`../../internal/assets/${name}.ctxv`));
const file = JSON.parse(await readFile(here('../../testdata/conformance/agent-lines.json'), 'utf8'));

for (const { name, calls } of file.vectors) {
  test(`${name}: read on from any record`, async () => {
    const [whole, cut] = [await load(module, { vocabularies }), await load(module, { vocabularies })];
    const { agent } = calls[0].params;
    for (const record of calls.flatMap((call) => call.params.records)) {
      const params = JSON.stringify({ id: 'a', agent, open: true, records: [record] });
      const want = await whole.answer('ctx/session/records', params);
      assert.equal(await cut.answer('ctx/session/records', params), want);
      const { sessions } = await cut.call('ctx/sessions', {});
      const ledgers = [];
      for (const { session } of sessions) ledgers.push(await cut.call('ctx/session/save', { id: session }));
      await cut.call('ctx/session/close', { id: 'a' });
      for (const { ledger } of ledgers) await cut.call('ctx/session/restore', { ledger });
    }
  });
}
