// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../api/protocol';
import { backSoon, warmthOf } from '../../src/warmth';
import { reading } from '../reading';

const minute = 60_000;
const asked = Date.UTC(2026, 10, 26, 14, 0);

/** A session whose last request was at `asked`, with a cache of an hour. */
function returning(change: Partial<NonNullable<Reading['cache']['back']>> = {}): Reading {
  return reading({
    activity: 'waiting',
    cache: {
      back: {
        warmUntil: asked + 55 * minute,
        coldFrom: asked + 60 * minute,
        warnFrom: asked + 44 * minute,
        cause: 'time',
        life: 60 * minute,
        anew: 441_000,
        display: '441k',
        kept: 0,
        compactsAt: null,
        compactsTo: null,
        compactFirst: 19_000,
        text: { text: 'the next prompt rewrites 441k to the cache' },
        firstText: { text: 'after /compact, it writes 19k' },
        ...change,
      },
    },
  });
}

test('the cost of returning follows the clock', () => {
  for (const [after, state, item] of [
    [-180, 'perhaps', ''], // the clock has jumped back
    [0, 'warm', ''],
    [43, 'warm', ''],
    [44, 'warm', 'cold in 12 min'],
    [55, 'warm', 'cold in 1 min'],
    [57, 'perhaps', 'may be cold'],
    [60, 'cold', 'cold: 441k'],
    [60 * 24 * 9, 'cold', 'cold: 441k'], // the machine slept
  ] as const) {
    const now = asked + after * minute;
    const r = returning();
    assert.ok(r.cache.back);
    assert.equal(warmthOf(r.cache.back, now), state, `after ${after} min`);
    assert.equal(backSoon(r, now), item, `the item after ${after} min`);
    assert.equal(backSoon({ ...r, activity: 'working' }, now), '', 'the agent works');
  }
});

test('a cause other than time is shown, and nothing for an unknown cache', () => {
  const r = returning({
    cause: 'model',
    text: { text: 'the model has changed, so the next prompt rewrites 441k to the cache' },
    firstText: { text: '' },
  });
  assert.equal(backSoon(r, asked + 60 * minute), '');
  assert.equal(backSoon(reading(), asked), '');
});
