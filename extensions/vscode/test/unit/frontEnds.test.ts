// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { Level, Reading } from '../../api/protocol';
import { shownPanel } from '../../src/panel/rows';
import { dueWords, severity } from '../../src/statusText';

interface Case {
  readonly name: string;
  readonly level: Level;
  readonly hint: string;
  readonly reading: Reading;
  readonly moments: readonly { readonly now: number; readonly shows: Readonly<Record<string, string>> }[];
}

const severities: Record<Level, string> = { ok: 'none', soon: 'warning', now: 'error', over: 'error' };

const cases = JSON.parse(fs.readFileSync('../../testdata/frontends/learned.json', 'utf8')) as Case[];

/** Returns an expression that matches a text with any time in place of {time}. */
const timed = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{time}', '.+')}$`);

test('state, level, forecast and threshold are those of all front ends, with learned thresholds and at each time', () => {
  assert.ok(cases.length >= 5);
  for (const { name, level, hint, reading, moments } of cases) {
    assert.equal(reading.compaction.level, level, name);
    assert.equal(severity(reading.compaction.level), severities[level], name);
    assert.equal(dueWords(reading), level === 'ok' ? '' : hint, name);
    for (const { now, shows } of moments) {
      assert.ok(reading.panel, name);
      const rows = shownPanel(reading.panel, now).flatMap(({ id, rows }) =>
        rows.map((row) => [`${id}/${row.id}`, row.value] as const),
      );
      const compared = new Set([...Object.keys(shows), 'cache/back', 'cache/compactNow', 'compaction/sum']);
      const shown = new Map(rows.filter(([id]) => compared.has(id)));
      assert.deepEqual([...shown.keys()].sort(), Object.keys(shows).sort(), `${name} at ${now}`);
      for (const [id, value] of shown) {
        assert.match(value, timed(shows[id] ?? ''), `${name} at ${now}: ${id}`);
      }
    }
  }
});
