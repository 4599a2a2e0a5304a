// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { drawn, settled } from '../driver/prompts';
import { WebEditor } from '../driver/web';
import { promptFiles } from '../promptFile';

let editor: WebEditor;
before(async () => {
  editor = await WebEditor.open(promptFiles);
});
after(() => editor?.close());

// The panel says it too, and is tested where there is no daemon: here its page would come from the editor's maker.
test('on the web, item and list explain that there is no session, and offer a way', async () => {
  await editor.statusText('ctx: prompt files only');
  assert.equal(await editor.statusKind(), 'none');
  await editor.tooltipThat(/Browsers cannot start programs[\s\S]*Where It Works[\s\S]*Prompt Files Only: Hide This/);
  await editor.statusItem.click();
  const rows = editor.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Browsers cannot start programs' }).waitFor();
  await rows.filter({ hasText: 'Prompt Files Only: Hide This' }).waitFor();
  await editor.screenshot('web-list');
  await editor.page.keyboard.press('Escape');
});

test('on the web the API shows the same status as with the daemon', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 51040 measured$/);
  await editor.statusText('26% · 109k left');
  await editor.screenshot('web-status');
});

test('on the web the hints change while one types, imports included', async () => {
  await editor.openFile('CLAUDE.md');
  const before = await settled(editor, 2);
  assert.match(before.lens, /^~?\d+ tokens in every request \(\d+ here, \d+ imported\)/);
  await editor.page.locator('.editor-instance .view-line').filter({ hasText: 'Run' }).first().click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type(' And read the whole of the design, 漢字 included, before you change any of it.');
  await editor.until(
    async () => (await drawn(editor)).hints.Commands !== before.hints.Commands,
    'the hint to change',
    20_000,
  );
  await editor.page.locator('.editor-instance .squiggly-warning').first().waitFor();
});
