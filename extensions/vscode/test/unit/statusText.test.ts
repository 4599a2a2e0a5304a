// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { type Core, load } from '../../../../wasm/js/ctx.js';
import type { Reading } from '../../api/protocol';
import { type Format, formats, parseConfig } from '../../src/config';
import { refused } from '../../src/following';
import { barOf, dueWords, lookOf, ringOf, severity, statusText } from '../../src/statusText';
import { reading } from '../reading';

let core: Core;
before(async () => {
  core = await load(readFile('../../wasm/js/ctx.wasm')); // the tests run in the extension's folder
});

/** The text of the status item, made as the settings ask by the calculator itself. */
const show = (format: Format, change: Partial<Reading> = {}, template = '', titles = true): string => {
  const settings: Record<string, unknown> = { 'statusItem.format': format, 'statusItem.template': template, titles };
  const told = reading(change);
  const { lines: wanted, words } = lookOf(parseConfig((key) => settings[key]));
  const { lines } = core.callSync('ctx/lines', { reading: told, lines: wanted, words });
  return statusText({ ...told, lines });
};
const estimated = { basis: 'measured+estimated', display: { ...reading().display, mark: '~' } } as const;
const noThreshold = {
  display: { ...reading().display, left: '?', threshold: '?', thresholdPercent: '?', thresholdPercentLeft: '?' },
};
const noWindow = {
  display: { ...noThreshold.display, percent: '?', percentLeft: '?', limit: '?', free: '?', bar: '' },
};

test('each format shows what its setting promises', () => {
  const wanted: Record<Exclude<Format, 'custom'>, string> = {
    usedAndLeft: '62% · 41k left',
    windowUsed: '62%',
    windowLeft: '38% left',
    compactionUsed: '75% of the way to compaction',
    compactionLeft: '25% of the way to compaction left',
    tokens: '124k / 200k',
    bar: '▰▰▰▰▰▰▱▱▱▱ 62%',
  };
  for (const [format, text] of Object.entries(wanted)) {
    assert.equal(show(format as Format), text);
  }
});

test('an estimate is marked in every format', () => {
  for (const format of formats.filter((f) => f !== 'custom')) {
    assert.match(show(format, estimated), /~/, format);
  }
});

test('missing values are not invented: no threshold, no window', () => {
  assert.equal(show('usedAndLeft', noThreshold), '62% · 76k free');
  assert.equal(show('compactionUsed', noThreshold), '62%');
  assert.equal(show('compactionLeft', noThreshold), '38% left');
  for (const format of formats.filter((f) => f !== 'custom')) {
    assert.equal(show(format, noWindow), '124k', format);
  }
});

test('once compaction is near, words replace the distance', () => {
  const { compaction } = reading();
  for (const [level, hint] of [
    ['soon', 'compacts in ~4 requests'],
    ['now', 'compacts in ~1 request'],
    ['over', 'compacts now'],
  ] as const) {
    const near = {
      compaction: { ...compaction, level, hint: { text: hint } },
      display: { ...reading().display, left: '-4.3k' },
    };
    assert.equal(show('usedAndLeft', near), '62%');
    assert.equal(dueWords(reading(near)), hint);
    assert.equal(dueWords(reading({ ...near, activity: 'idle' })), '');
  }
  assert.equal(dueWords(reading()), '');
  const full = {
    ...noThreshold,
    compaction: { ...compaction, level: 'over', threshold: null, hint: { text: 'window full' } },
  } as const;
  assert.equal(show('usedAndLeft', full), '62%');
  assert.equal(dueWords(reading(full)), 'window full');
});

test('the ring shows tenths of the window, and a row half as many cells', () => {
  assert.deepEqual(
    [0, 4.99, 5, 62, 99.5, 117].map((percent) => ringOf({ percent })),
    [0, 0, 1, 6, 10, 10].map((n) => `$(ctx-ring-${n})`),
  );
  assert.equal(ringOf({ percent: null }), '', 'no ring without a window');
  assert.deepEqual([0, 62, 117].map(barOf), ['ctx-bar-0', 'ctx-bar-3', 'ctx-bar-5']);
});

test('a Reading of which nothing is known is a question mark', () => {
  assert.equal(show('usedAndLeft', { basis: 'unknown' }), '?');
});

test("a user's own template drops parts without a value, and refuses unknown fields", () => {
  assert.equal(show('custom', {}, '{agent} {mark}{percent} · {left}'), 'Claude Code 62% · 41k');
  assert.equal(show('custom', noThreshold, '{percent} · {left} to go · {used}'), '62% · 124k');
  assert.equal(show('custom', noThreshold, '{percent} | {used} · {left} | left'), '62% | 124k');
  assert.equal(show('custom', noThreshold, '{percent}[ · {left} to go] of {limit}'), '62% of 200k');
  assert.throws(() => show('custom', {}, '{percent} {nonsense}'), /has the unknown field \{nonsense\}.*percentLeft/);
  assert.equal(show('custom', noWindow, '{percent}'), '');
  assert.equal(show('custom', { model: '$(error)' }, '$(flame) {model}'), '$(flame) $\u200b(error)');
});

test('a template that is refused is quoted as it was typed, without fields of the extension', () => {
  const typed = '$(flame) {title} · {nothing}';
  let sentence = '';
  try {
    show('custom', {}, typed);
  } catch (error) {
    sentence = refused(typed, (error as Error).message);
  }
  assert.match(
    sentence,
    /^The setting ctx\.statusItem\.template is ignored. “\$\(flame\) \{title\} · \{nothing\}” has the unknown field \{nothing\}; expected one of number, percent, /,
  );
  assert.doesNotMatch(sentence, /leftWord|waiting for you|lines\.status/);
  assert.ok(![...sentence].some((c) => c < ' '), sentence);
  assert.match(
    refused('{', 'The template "lines.status": "{" has a { without a }.'),
    /\. “\{” has a \{ without a \}\.$/,
  );
});

test('provider mode shows 0.0 % and the reason in every format, and tokens if the window is unknown', () => {
  const nothing = {
    mode: 'provider',
    basis: 'unknown',
    unmeasured: { text: 'nothing measured yet' },
    display: { ...reading().display, mark: '', percent: '0.0%', used: '0' },
  } as const;
  const blank = {
    limit: '',
    free: '',
    left: '',
    number: '',
    percentLeft: '',
    threshold: '',
    thresholdPercent: '',
    thresholdPercentLeft: '',
    bar: '',
  };
  const windowless = {
    mode: 'provider',
    percent: null,
    unmeasured: { text: 'window unknown' },
    display: { mark: '', percent: '5k', used: '5k', ...blank },
  } as const;
  for (const format of formats) {
    assert.equal(show(format, nothing, '{left}'), '0.0% · nothing measured yet', format);
    assert.equal(show(format, windowless, '{left}'), '5k · window unknown', format);
  }
  const measured = { mode: 'provider', display: { ...reading().display, percent: '62.0%' } } as const;
  assert.equal(show('usedAndLeft', measured), '62.0% · 41k left');
  assert.equal(lookOf(parseConfig((key) => (key === 'mode' ? 'provider' : undefined))).mode, 'provider');
});

test('titles are shown if the user wants them', () => {
  const titled = { title: 'Totals', label: 'Chat 1' };
  assert.equal(show('custom', titled, '{title} {percent}'), 'Totals 62%');
  assert.equal(show('custom', titled, '{title} {percent}', false), 'Chat 1 62%');
});

test('an inactive session shows that instead of the distance to the compaction', () => {
  const idle = { activity: 'idle', compaction: { ...reading().compaction, level: 'over' } } as const;
  for (const format of formats.filter((f) => f !== 'custom')) {
    assert.equal(show(format, idle), '62% · idle', format);
  }
  assert.equal(show('custom', idle, '{title} {percent} {state}'), 's1 62% idle');
  assert.equal(show('bar', { ...noWindow, activity: 'ended' }), '124k · ended');
});

test('a calculator without lines is shown all the same', () => {
  assert.equal(statusText(reading()), '62%');
});

test('soon warns, now and over are errors, ok is neither', () => {
  assert.deepEqual((['ok', 'soon', 'now', 'over'] as const).map(severity), ['none', 'warning', 'error', 'error']);
});
