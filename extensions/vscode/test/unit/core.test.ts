// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { LevelCrossed } from '../../src/backend';
import { Core } from '../../src/core/core';

const root = '../..';
const files = {
  read: (name: string): Promise<Uint8Array> =>
    readFile(name === 'ctx.wasm' ? `${root}/wasm/js/${name}` : `${root}/internal/assets/${name}`),
};

/** The core without a daemon, and what it tells of levels. */
async function start() {
  const core = await Core.start(files, '0', { error() {} } as unknown as vscode.LogOutputChannel);
  const told: string[] = [];
  core.onEvent((event) => {
    assert.equal(event.type, 'level');
    const { session, level, crossed, first, reading } = event as LevelCrossed;
    assert.equal(reading.compaction.level, level);
    told.push(`${session} ${level} ${crossed}${first ? ' first' : ''}`);
  });
  const open = (id: string) =>
    core.call<Reading>('ctx/session/open', { id, limits: { window: 100_000 }, rule: { threshold: 80_000 } });
  const holds = (id: string, tokens: number) =>
    core.call<Reading>('ctx/session/usage', { id, provider: 'ctx', usage: { in: tokens, out: 0 } });
  return { core, told, open, holds };
}

test('without a daemon each level is reported once, and withdrawn after a compaction', async () => {
  const { core, told, open, holds } = await start();
  await open('a');
  for (const tokens of [60_000, 71_000, 69_000, 71_000, 81_000, 82_000]) {
    await holds('a', tokens);
  }
  assert.deepEqual(told.splice(0), ['a soon up first', 'a now up first', 'a over up first']);
  await core.call('ctx/session/compacted', { id: 'a', tokens: 10_000 });
  assert.deepEqual(told.splice(0), ['a ok down']);
  await holds('a', 71_000);
  assert.deepEqual(told.splice(0), ['a now up'], 'not for the first time');
});

test('sessions do not affect each other, and a new one of the same name starts over', async () => {
  const { core, told, open, holds } = await start();
  await open('a');
  await open('b');
  await holds('a', 71_000);
  await holds('b', 71_000);
  await core.call('ctx/session/close', { id: 'a' });
  await open('a');
  await holds('a', 71_000);
  assert.deepEqual(told, ['a soon up first', 'b soon up first', 'a soon up first']);
});

test('Readings have the lines and the mode that were asked for', async () => {
  const { core, open, holds } = await start();
  await core.call('ctx/watch', { mode: 'provider', lines: { status: ['ctx {percent}'] } });
  await open('a');
  const reading = await holds('a', 50_000);
  assert.deepEqual([reading.mode, reading.lines], ['provider', { status: 'ctx 50.0%' }]);
});
