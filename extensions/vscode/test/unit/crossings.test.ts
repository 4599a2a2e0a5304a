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

test('a compaction arms every level again; a measurement below every line those above “soon”', () => {
  const c = new Crossings();
  assert.equal(c.reached(at('now')), 'now');
  assert.equal(c.reached(at('ok', { compactions: 1, basis: 'estimated' })), undefined);
  assert.equal(c.reached(at('now', { compactions: 1 })), 'now');
  assert.equal(c.reached(at('ok', { compactions: 1 })), undefined);
  assert.equal(c.reached(at('soon', { compactions: 1 })), undefined);
  assert.equal(c.reached(at('now', { compactions: 1 })), 'now');
  assert.equal(c.reached(at('soon', { compactions: 2 })), 'soon');
});

test('a session that was full before anyone looked is not news, and sessions do not disturb each other', () => {
  const c = new Crossings();
  c.found(at('now'));
  assert.equal(c.reached(at('now')), undefined);
  assert.equal(c.reached(at('over')), 'over');
  assert.equal(c.reached(at('soon', { session: 's2' })), 'soon');
});
