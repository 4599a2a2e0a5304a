// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Panel } from '../../api/types';
import { shownPanel } from '../../src/panel/rows';
import { percent } from '../../src/panel/view/language';

const panel: Panel = {
  sections: [
    { id: 'parts', title: { text: 'Parts' }, only: 'short', rows: [{ id: 'part', value: { text: '1' } }] },
    {
      id: 'cache',
      title: { text: 'Prompt cache' },
      rows: [
        { id: 'verdict', value: { text: 'on a screen' }, only: 'short' },
        {
          id: 'back',
          label: { text: 'Cache' },
          dated: [
            { from: 1000, value: { text: 'cold in {time}; then 19k' }, at: 3_300_000, as: 'minutes' },
            { from: 3_300_000, value: { text: 'cold: 19k' } },
            { from: 9_000_000 },
          ],
        },
      ],
    },
  ],
};

test('the page has the long form of the panel, and values that depend on the time follow it', () => {
  const values = (now: number): string[] => shownPanel(panel, now).flatMap(({ rows }) => rows.map((r) => r.value));
  assert.deepEqual(values(0), []);
  assert.deepEqual(values(1000), ['cold in 55 min; then 19k']);
  assert.deepEqual(values(3_300_000), ['cold: 19k']);
  assert.deepEqual(values(9_000_000), []);
  const [section] = shownPanel(panel, 1000);
  assert.deepEqual([section?.id, section?.title, section?.rows[0]?.label], ['cache', 'Prompt cache', 'Cache']);
});

test('an age below a minute and a share below a tenth are bounds', () => {
  const dated = [{ from: 0, value: { text: 'last record {time} ago' }, at: 1000, as: 'age' as const }];
  const recent: Panel = { sections: [{ id: 'facts', title: { text: 'Facts' }, rows: [{ id: 'last', dated }] }] };
  const value = (now: number): string | undefined => shownPanel(recent, now)[0]?.rows[0]?.value;
  assert.equal(value(60_999), 'last record <1 min ago');
  assert.equal(value(61_000), 'last record 1 min ago');
  assert.deepEqual([0.01, 0.05, 0.2, 0, null].map(percent), ['<0.1%', '<0.1%', '0.2%', '0%', '']);
});
