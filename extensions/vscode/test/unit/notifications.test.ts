// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Level, Reading } from '../../api/protocol';
import { parseConfig } from '../../src/config';
import { type AlertHost, Alerts, alertText } from '../../src/notifications';
import { reading } from '../reading';
import * as stub from './vscode';

const at = (level: Level, change: Partial<Reading> = {}, count = 0) =>
  reading({
    title: 'fix the retry logic',
    file: '/t.jsonl',
    ...change,
    compaction: { ...reading().compaction, level, count },
  });
let latest: Reading | undefined;
let acts: string[];
const alerts = (settings: Record<string, unknown> = {}, change: Partial<AlertHost> = {}) =>
  new Alerts({
    config: () => parseConfig((key) => settings[key]),
    reading: () => latest,
    sessions: () => 1,
    canRunCompaction: () => true,
    act: (act, session) => acts.push(`${act} ${session}`),
    ...change,
  });
/** The time at the beginning of a notification. */
const clock = /^\d+:\d\d( [AP]M)? · /;
const untimed = (text: string) => text.replace(clock, '');
const texts = () => stub.window.warnings.map((w) => untimed(w.text));
/** Lets a level wait for the next one, and a pressed button act. */
const tick = () => {
  mock.timers.tick(300);
  return new Promise((r) => setImmediate(r));
};

beforeEach(() => {
  stub.window.warnings = [];
  latest = undefined;
  acts = [];
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

test('“soon” is announced by default, as a message with buttons', async () => {
  alerts().announce(at('soon'), 'soon');
  await tick();
  assert.equal(texts().length, 1);
  assert.equal(texts()[0], 'About 6 requests until it compacts.');
  assert.match(stub.window.warnings[0]?.text ?? '', clock, 'it cannot be changed, so it says when it was true');
  assert.deepEqual(stub.window.warnings[0]?.buttons, ['Hand Over…', 'Compact', 'Later']);
});

test('a button is offered only if it can do something', async () => {
  alerts({}, { canRunCompaction: () => false }).announce(at('now', { file: '' }), 'now');
  await tick();
  assert.deepEqual(stub.window.warnings[0]?.buttons, ['What Fills It', 'Later']);
});

test('each button acts once, and closing the message does nothing', async () => {
  const a = alerts();
  for (const [compactions, button] of ['Hand Over…', 'Compact', 'Later', undefined].entries()) {
    a.announce(at('now', {}, compactions), 'now');
    await tick();
    stub.window.warnings.pop()?.close(button);
    await tick();
  }
  a.announce(at('now', { file: '' }, 9), 'now');
  await tick();
  stub.window.warnings.pop()?.close('What Fills It');
  await tick();
  assert.deepEqual(acts, ['handover s1', 'compact s1', 'snooze s1', 'panel s1']);
});

test('a question that can wait comes only after no notification has come for a while', async () => {
  const a = alerts();
  let calm = false;
  void a.calm().then(() => (calm = true));
  mock.timers.tick(19_000);
  a.announce(at('now'), 'now'); // it comes while a question waits already
  await tick();
  mock.timers.tick(19_000);
  await tick();
  assert.ok(!calm);
  mock.timers.tick(1_000);
  await tick();
  assert.ok(calm);
});

test('a session is announced once, and again only after a compaction', async () => {
  const a = alerts();
  for (const level of ['soon', 'now', 'soon', 'over'] as const) {
    a.changed(at(level));
    a.announce(at(level), level);
    await tick();
    stub.window.warnings.at(-1)?.close();
  }
  assert.deepEqual(texts(), ['About 6 requests until it compacts.']);
  a.changed(at('ok'));
  a.announce(at('soon'), 'soon');
  await tick();
  assert.equal(texts().length, 1, 'it was not compacted in between');
  a.changed(at('ok', {}, 1));
  a.announce(at('soon', {}, 1), 'soon');
  await tick();
  assert.equal(texts().length, 2);
  a.dispose();
});

test('of several sessions the notification names the one', () => {
  assert.equal(untimed(alertText(at('soon'), 2)), 'About 6 requests until it compacts: “fix the retry logic”.');
  assert.equal(untimed(alertText(at('over'), 1)), 'About 6 requests until it compacts.');
});

test('levels that are passed at once are one notification, the last', async () => {
  const a = alerts();
  for (const level of ['soon', 'now', 'over'] as const) {
    a.announce(at(level), level);
  }
  await tick();
  assert.equal(texts().length, 1);
  a.dispose();
});

test('a level that is no longer true, or of a closed session, is not announced', async () => {
  const a = alerts();
  const ends: (() => void)[] = [
    () => a.changed(at('ok', {}, 1)),
    () => a.changed(at('now', { activity: 'idle' })),
    () => a.dismiss('s1'),
    () => a.forget('s1'),
    () => a.dispose(),
  ];
  for (const end of ends) {
    a.announce(at('now'), 'now');
    end();
    await tick();
    assert.deepEqual(texts(), [], String(end));
  }
});

test('an idle session never alarms', async () => {
  alerts().announce(at('over', { activity: 'idle' }), 'over');
  await tick();
  assert.deepEqual(texts(), []);
});

test('a snoozed session is silent for half an hour, and then its level is announced', async () => {
  const a = alerts();
  a.announce(at('soon'), 'soon');
  a.snooze('s1');
  a.announce(at('now'), 'now');
  await tick();
  assert.deepEqual(texts(), []);
  latest = at('now');
  mock.timers.tick(30 * 60_000);
  await tick();
  assert.equal(texts().length, 1);
  a.dispose();
});

test('each level has its setting', async () => {
  const a = alerts({ 'notifications.soon': false });
  a.announce(at('soon'), 'soon');
  await tick();
  assert.deepEqual(texts(), []);
  a.announce(at('now'), 'now');
  await tick();
  assert.equal(texts().length, 1);
  a.dispose();
});

test('a title from a transcript is no link in a notification', () => {
  const text = alertText(at('now', { title: '[run me](command:workbench.action.quit) x' }), 2);
  assert.doesNotMatch(text, /\]\(command:workbench/);
});
