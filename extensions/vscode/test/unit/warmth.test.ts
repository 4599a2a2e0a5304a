// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../api/protocol';
import { readingMarkdown } from '../../src/tooltip';
import { backSentence, backSoon, warmthOf } from '../../src/warmth';
import { reading } from '../reading';

const minute = 60_000;
const asked = Date.UTC(2026, 10, 26, 14, 0);

/** A session whose last request was at `asked`, with a cache of an hour. */
function returning(change: Partial<NonNullable<Reading['back']>> = {}): Reading {
  return reading({
    activity: 'waiting',
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
  });
}

test('the cost of returning follows the clock', () => {
  const cost = 'the next prompt rewrites 441k to the cache; after /compact, it writes 19k.';
  for (const [after, state, item, sentence] of [
    [-180, 'perhaps', '', `The prompt cache may be cold: ${cost}`], // the clock has jumped back
    [0, 'warm', '', `The prompt cache is cold in 56 min; then ${cost}`],
    [43, 'warm', '', `The prompt cache is cold in 13 min; then ${cost}`],
    [44, 'warm', 'cold in 12 min', `The prompt cache is cold in 12 min; then ${cost}`],
    [55, 'warm', 'cold in 1 min', `The prompt cache is cold in 1 min; then ${cost}`],
    [57, 'perhaps', 'may be cold', `The prompt cache may be cold: ${cost}`],
    [60, 'cold', 'cold: 441k', `The prompt cache is cold: ${cost}`],
    [60 * 24 * 9, 'cold', 'cold: 441k', `The prompt cache is cold: ${cost}`], // the machine slept
  ] as const) {
    const now = asked + after * minute;
    const r = returning();
    assert.ok(r.back);
    assert.equal(warmthOf(r.back, now), state, `after ${after} min`);
    assert.equal(backSoon(r, now), item, `the item after ${after} min`);
    assert.equal(backSentence(r, now), sentence, `after ${after} min`);
    assert.equal(backSoon({ ...r, activity: 'working' }, now), '', 'the agent works');
    const tooltip = readingMarkdown(r, { reason: 'latest', sessions: 1, now });
    assert.ok(tooltip.includes('441k to the cache'), 'the tooltip says it always');
  }
});

test('the agent may compact it, until that time is over', () => {
  const r = returning({
    compactsAt: asked + 54 * minute,
    compactsText: { text: 'the agent may compact it automatically, to about 31k' },
  });
  const at = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' }).format(asked + 54 * minute);
  assert.ok(backSentence(r, asked).endsWith(` At ${at}, the agent may compact it automatically, to about 31k.`));
  assert.ok(!backSentence(r, asked + 55 * minute).includes('automatically'));
});

test('a cause other than time is shown, and nothing for an unknown cache', () => {
  const r = returning({
    cause: 'model',
    text: { text: 'the model has changed, so the next prompt rewrites 441k to the cache' },
    firstText: { text: '' },
  });
  assert.equal(backSentence(r, asked), 'The model has changed, so the next prompt rewrites 441k to the cache.');
  assert.equal(backSoon(r, asked + 60 * minute), '');
  assert.equal(backSentence(reading(), asked), '');
  assert.equal(backSoon(reading(), asked), '');
});
