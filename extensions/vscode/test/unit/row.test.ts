// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workbench } from '../driver/workbench';

/** A window that shows these rows, one list after the other; the last one stays. */
function windowWith(...lists: string[][]): Workbench {
  let at = 0;
  const rows = (): string[] => lists[Math.min(at, lists.length - 1)] ?? [];
  const page = {
    once: () => undefined,
    locator: (selector: string) => {
      const wanted = /\*="(.*)"\]/.exec(selector)?.[1] ?? '';
      const found = (): boolean => rows().some((row) => row.includes(wanted));
      return { count: async () => Number(found()), first: () => ({ isVisible: async () => found() }) };
    },
    evaluate: async (script: string) => (script.includes('.monaco-list-row') ? rows().join('\n') : 'ctx: 1 session'),
  };
  setInterval(() => at++, 40).unref();
  const workbench = Object.create(Workbench.prototype) as Workbench;
  return Object.assign(workbench, { page });
}

test('a row that comes is waited for, however often the list changes before', async () => {
  await windowWith(['row: a'], ['row: b'], ['row: c'], ['row: d'], ['row: e in host']).row('in host', 300);
});

test('a row that cannot come ends the wait soon, and the error says what is seen instead', async () => {
  const began = Date.now();
  await assert.rejects(
    windowWith(['row: a'], ['row: Copilot CLI 1 session, the newest 2 d ago']).row('in host', 300),
    /no row with “in host” has come; the window shows\nrow: Copilot CLI 1 session, the newest 2 d ago\nstatus item: ctx: 1 session/,
  );
  assert.ok(Date.now() - began < 10_000);
});
