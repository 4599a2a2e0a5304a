// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { CallError } from '../../src/backend';
import { parseConfig } from '../../src/config';
import { Following } from '../../src/following';

/** What is logged as an error if `ctx/watch` fails with an error of this kind. */
async function errorsOf(kind: string): Promise<string[]> {
  const errors: string[] = [];
  const log = { warn() {}, error: (text: string) => errors.push(text) } as unknown as vscode.LogOutputChannel;
  const following = new Following({
    call: () => Promise.reject(new CallError('It failed.', -32603, kind, undefined)),
    config: () => parseConfig(() => undefined),
    log,
  });
  assert.deepEqual(await following.begin(), []);
  return errors;
}

test('a daemon that ends before it responds is no error here, because it is started again', async () => {
  assert.deepEqual(await errorsOf('stopped'), []);
});

test('a daemon that refuses is an error', async () => {
  assert.deepEqual(await errorsOf('internal'), ['The sessions of this machine cannot be followed: It failed.']);
});
