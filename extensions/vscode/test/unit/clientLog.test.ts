// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { clientLog } from '../../src/daemon/clientLog';

test('reports of the language client about an ended daemon are not errors', () => {
  const written: string[] = [];
  const write = (level: string) => (text: string) => written.push(`${level}: ${text}`);
  const channel = { debug: write('debug'), warn: write('warn'), error: write('error') };
  let over = false;
  const log = clientLog(channel as unknown as vscode.LogOutputChannel, () => over);
  log.error('Server process exited with code 1.');
  log.error('Server process exited with signal SIGKILL.');
  log.error('The connection to the daemon is closed.');
  log.error('panic: the daemon has a defect');
  over = true;
  log.warn('Sending a notification failed.');
  assert.deepEqual(written, [
    'debug: Server process exited with code 1.',
    'debug: Server process exited with signal SIGKILL.',
    'debug: The connection to the daemon is closed.',
    'error: panic: the daemon has a defect',
    'debug: Sending a notification failed.',
  ]);
});
