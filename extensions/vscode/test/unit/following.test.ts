// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { absence } from '../../src/absence';
import { CallError } from '../../src/backend';
import { parseConfig } from '../../src/config';
import { Following } from '../../src/following';

/** Returns the errors that are logged if `ctx/watch` fails with an error of this kind. */
async function errorsOf(kind: string, searching: boolean): Promise<string[]> {
  const errors: string[] = [];
  const log = { warn() {}, error: (text: string) => errors.push(text) } as unknown as vscode.LogOutputChannel;
  const following = new Following({
    call: () => Promise.reject(new CallError('It failed.', -32603, kind, undefined)),
    config: () => parseConfig(() => undefined),
    log,
  });
  assert.equal(following.searching, true);
  assert.deepEqual(await following.begin(), []);
  assert.equal(following.searching, searching);
  return errors;
}

test('a daemon that ends before it responds is no error here, because it is started again', async () => {
  assert.deepEqual(await errorsOf('stopped', true), []);
});

test('a daemon that refuses is an error', async () => {
  assert.deepEqual(await errorsOf('internal', false), ['The sessions of this machine cannot be followed: It failed.']);
});

test('the search of the daemon is shown in place of an empty list', async () => {
  const config = parseConfig(() => undefined);
  for (const searching of [true, false, undefined]) {
    const answer = { sessions: [], roots: [], ...(searching !== undefined && { searching }) };
    const following = new Following({
      call: <T>() => Promise.resolve(answer as T),
      config: () => config,
      log: {} as vscode.LogOutputChannel,
    });
    await following.begin();
    const { sentence } = absence(
      { state: 'ready' } as Parameters<typeof absence>[0],
      config,
      true,
      following.searching,
    );
    assert.equal(sentence.includes('searching for sessions'), searching === true);
  }
});
