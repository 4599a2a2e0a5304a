// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawn, settled } from '../driver/prompts';
import { WebEditor } from '../driver/web';
import { promptFiles } from '../promptFile';

let editor: WebEditor;
before(async () => {
  editor = await WebEditor.open(promptFiles);
});
after(() => editor?.close());

test('on the web nothing is wrong, and the item is hidden while nobody tells a session', async () => {
  await editor.page.waitForTimeout(4000);
  assert.equal(await editor.textNow(), '');
});

test('on the web the API shows the same status as with the daemon', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 51040 measured$/);
  await editor.statusText('ctx 26% · 109k to compact');
  await editor.screenshot('web-status');
});

test('on the web the hints change while one types, imports included', async () => {
  await editor.openFile('CLAUDE.md');
  const before = await settled(editor, 2);
  assert.match(before.lens, /^~?\d+ tokens · in every request · 1 import \+~?\d+/);
  await editor.page.locator('.editor-instance .view-line').filter({ hasText: 'Run' }).first().click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type(' And read the whole of the design, 漢字 included, before you change any of it.');
  await editor.until(
    async () => (await drawn(editor)).hints.Commands !== before.hints.Commands,
    'the hint to change',
    20_000,
  );
  await editor.page.locator('.editor-instance .squiggly-warning').first().waitFor({ timeout: 15_000 });
});
