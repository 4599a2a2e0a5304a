// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Level, Reading } from '../../api/protocol';
import { parseConfig } from '../../src/config';
import { Alerts, alertCommand, alertText } from '../../src/notifications';
import { reading } from '../reading';
import * as stub from './vscode';

const at = (level: Level, change: Partial<Reading> = {}) =>
  reading({ title: 'fix the retry logic', ...change, compaction: { ...reading().compaction, level } });
let latest: Reading | undefined;
const alerts = (settings: Record<string, unknown> = {}) =>
  new Alerts({
    config: () => parseConfig((key) => settings[key]),
    reading: () => latest,
    canRunCompaction: () => true,
  });
const open = () => stub.window.progress.filter((p) => p.open).map((p) => p.title);
/** A level has waited for the next one, and what was closed has left the screen. */
const tick = () => {
  mock.timers.tick(300);
  return new Promise((r) => setImmediate(r));
};

beforeEach(() => {
  stub.window.progress = [];
  latest = undefined;
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

test('“soon” is told by default, as information, with what can be done', async () => {
  alerts().tell(at('soon'), 'soon');
  await tick();
  assert.equal(open().length, 1);
  assert.match(
    open()[0] ?? '',
    /^May compact in about 6 requests: fix the retry logic — Claude Code \(41k tokens left, 62% of its window used\)\./,
  );
  for (const title of ['What Fills It', 'Copy Facts for a Hand-over', 'Type the Compaction Command', 'Snooze']) {
    assert.ok(open()[0]?.includes(`[${title}](command:${alertCommand}?`), title);
  }
  assert.equal(stub.window.progress[0]?.increment, 75);
});

test('its button says what it does, and takes it away', async () => {
  alerts().tell(at('now'), 'now');
  await tick();
  const [shown] = stub.window.progress;
  assert.equal(shown?.button, 'Dismiss');
  shown?.press();
  await tick();
  assert.deepEqual(open(), []);
});

test('what has time waits until no notification has stood for a while', async () => {
  const a = alerts();
  let calm = false;
  void a.calm().then(() => (calm = true));
  mock.timers.tick(9_000);
  a.tell(at('now'), 'now'); // it comes while something waits already
  await tick();
  mock.timers.tick(60_000);
  await tick();
  assert.ok(!calm);
  a.dismiss('s1');
  mock.timers.tick(9_000);
  await tick();
  assert.ok(!calm);
  mock.timers.tick(1_000);
  await tick();
  assert.ok(calm);
});

test('levels that are passed at once are one notification, the last', async () => {
  const a = alerts();
  for (const level of ['soon', 'now', 'over'] as const) {
    a.tell(at(level), level);
  }
  await tick();
  assert.equal(stub.window.progress.length, 1);
  assert.match(open()[0] ?? '', /Compacts now: fix the retry logic/);
  a.dispose();
});

test('a later level replaces the notification, and it is withdrawn when the level falls', async () => {
  const a = alerts();
  a.tell(at('soon'), 'soon');
  await tick();
  a.tell(at('now'), 'now');
  await tick();
  assert.equal(open().length, 1);
  assert.match(open()[0] ?? '', /^⚠ The next request may compact it: fix the retry logic/);
  a.changed(at('ok', { compactions: 1 }));
  await tick();
  assert.deepEqual(open(), []);
});

test('one that is waved away, or whose session ends, is gone; an early one goes by itself', async () => {
  const a = alerts();
  a.tell(at('now'), 'now');
  await tick();
  a.dismiss('s1');
  await tick();
  assert.deepEqual(open(), []);
  a.tell(at('over'), 'over');
  await tick();
  a.forget('s1');
  await tick();
  assert.deepEqual(open(), []);
  a.tell(at('soon'), 'soon');
  await tick();
  assert.equal(open().length, 1);
  mock.timers.tick(61_000);
  await tick();
  assert.deepEqual(open(), []);
});

test('an idle session never alarms, and one that becomes idle takes its notification with it', async () => {
  const a = alerts();
  a.tell(at('over', { activity: 'idle' }), 'over');
  await tick();
  assert.deepEqual(open(), []);
  a.tell(at('over', { activity: 'working' }), 'over');
  await tick();
  assert.equal(open().length, 1);
  a.changed(at('over', { activity: 'idle' }));
  await tick();
  assert.deepEqual(open(), []);
});

test('a snoozed session is silent for half an hour, and then what it has come to is told', async () => {
  const a = alerts();
  a.tell(at('soon'), 'soon');
  a.snooze('s1');
  a.tell(at('now'), 'now');
  await tick();
  assert.deepEqual(open(), []);
  latest = at('now');
  mock.timers.tick(30 * 60_000);
  await tick();
  assert.equal(open().length, 1);
  a.dispose();
});

test('each level has its setting', async () => {
  const a = alerts({ 'notifications.soon': false });
  a.tell(at('soon'), 'soon');
  await tick();
  assert.deepEqual(open(), []);
  a.tell(at('now'), 'now');
  await tick();
  assert.equal(open().length, 1);
  a.dispose();
});

test('what a transcript calls itself is no link in a notification', () => {
  const text = alertText(at('now', { title: '[run me](command:workbench.action.quit) x' }), 'now', false);
  assert.doesNotMatch(text, /\]\(command:workbench/);
  const ids = alertText(at('now', { session: "a](command:x) (b) 'c'" }), 'now', false);
  for (const [, target] of ids.matchAll(/\]\(([^)]*)\)/g)) {
    assert.match(target ?? '', new RegExp(`^command:${alertCommand.replaceAll('.', '\\.')}\\?[\\w%.~-]+$`));
  }
});
