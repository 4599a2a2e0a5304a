// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Basis, Level } from '../../api/protocol';
import { Crossings } from '../../src/crossings';
import { reading } from '../reading';

const at = (level: Level, change: { basis?: Basis; compactions?: number; session?: string } = {}) =>
  reading({ ...change, compaction: { ...reading().compaction, level } });

test('each level is told once on the way up', () => {
  const c = new Crossings();
  const told = (['ok', 'soon', 'soon', 'now', 'now', 'over', 'over'] as const).map((level) => c.reached(at(level)));
  assert.deepEqual(told, [undefined, 'soon', undefined, 'now', undefined, 'over', undefined]);
});

test('an estimate that wavers around the line is told once', () => {
  const c = new Crossings();
  const basis = 'measured+estimated';
  const told = (['soon', 'ok', 'soon', 'ok', 'soon'] as const).map((level) => c.reached(at(level, { basis })));
  assert.deepEqual(told, ['soon', undefined, undefined, undefined, undefined]);
});

test('a compaction, or a measurement below every line, arms the levels again, but for “soon”', () => {
  const c = new Crossings();
  assert.equal(c.reached(at('soon')), 'soon');
  assert.equal(c.reached(at('now')), 'now');
  assert.equal(c.reached(at('ok', { compactions: 1, basis: 'estimated' })), undefined);
  assert.equal(c.reached(at('soon', { compactions: 1 })), undefined);
  assert.equal(c.reached(at('now', { compactions: 1 })), 'now');
  assert.equal(c.reached(at('ok', { compactions: 1 })), undefined);
  assert.equal(c.reached(at('soon', { compactions: 1 })), undefined);
  assert.equal(c.reached(at('over', { compactions: 1 })), 'over');
});

test('sessions do not disturb each other, and a new one of the same name begins anew', () => {
  const c = new Crossings();
  assert.equal(c.reached(at('soon')), 'soon');
  assert.equal(c.reached(at('soon', { session: 's2' })), 'soon');
  c.forget('s1');
  assert.equal(c.reached(at('soon')), 'soon');
});
