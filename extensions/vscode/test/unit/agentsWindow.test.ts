// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { allowInAgentsWindow, offerAgentsWindow } from '../../src/agentsWindow';
import * as stub from './vscode';

const id = 'ctx-lsp.ctx-lsp';
const host = 'VS Code Agent Host';
const close = stub.window.press;
const getConfiguration = stub.workspace.getConfiguration;

afterEach(() => {
  stub.window.press = close;
  stub.window.messages = [];
  stub.workspace.getConfiguration = getConfiguration;
});

/** An editor with that setting; without one where the value is undefined. Returns the changes that are made. */
function editor(value: Record<string, boolean> | undefined, known = true): unknown[][] {
  const changes: unknown[][] = [];
  stub.workspace.getConfiguration = (() => ({
    inspect: () => (known ? { defaultValue: {}, globalValue: value } : undefined),
    update: (...change: unknown[]) => Promise.resolve(void changes.push(change)),
  })) as never;
  return changes;
}

function memory(): { get: (key: string) => unknown; update: (key: string, value: unknown) => Promise<void> } {
  const kept = new Map<string, unknown>();
  return { get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) };
}

for (const [button, changed] of [
  ['Change the Setting', true],
  [undefined, false],
] as const) {
  test(`the Agents window's setting is shown, and ${button ?? 'closing the question'} ${changed ? 'adds the extension' : 'changes nothing'}`, async () => {
    const changes = editor({ 'other.other': false });
    stub.window.press = (buttons) => {
      assert.deepEqual(buttons, ['Change the Setting']);
      return button;
    };
    await allowInAgentsWindow(id);
    assert.deepEqual(stub.window.messages, ['Allow Ctx in the Agents window?']);
    assert.deepEqual(changes, changed ? [['supportAgentsWindow', { 'other.other': false, [id]: true }, 1]] : []);
  });
}

test('an editor without that window, and one that allows the extension, are asked nothing', async () => {
  const asked = () => assert.fail('a question');
  stub.window.press = (buttons) => (buttons.length > 0 ? asked() : undefined);
  editor(undefined, false);
  await allowInAgentsWindow(id);
  const changes = editor({ [id]: true });
  await allowInAgentsWindow(id);
  assert.deepEqual(stub.window.messages, [
    'This editor has no Agents window.',
    'Ctx is already allowed in the Agents window, by the setting extensions.supportAgentsWindow.',
  ]);
  assert.deepEqual(changes, []);
});

test('the Agents window is offered once, for a session of its host, and not where it was decided', async () => {
  const calm = () => Promise.resolve();
  const kept = memory() as never;
  const offers = () => stub.window.messages.length;
  editor({});
  await offerAgentsWindow('Another Host', id, kept, calm);
  assert.equal(offers(), 0);
  editor({ [id]: false });
  await offerAgentsWindow(host, id, kept, calm);
  assert.equal(offers(), 0);
  const changes = editor({});
  stub.window.press = (buttons) => buttons[0];
  await offerAgentsWindow(host, id, kept, calm);
  await offerAgentsWindow(host, id, kept, calm);
  assert.deepEqual(stub.window.messages, [
    'VS Code Agent Host runs a session here. Ctx can work in its Agents window too.',
    'Allow Ctx in the Agents window?',
  ]);
  assert.deepEqual(changes, [['supportAgentsWindow', { [id]: true }, 1]]);
});
