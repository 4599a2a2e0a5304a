// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { drawn, settled } from '../driver/prompts';
import { WebEditor } from '../driver/web';
import { must, patience } from '../driver/workbench';
import { promptFiles } from '../promptFile';

let editor: Editor;
before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX'), files: promptFiles });
});
after(() => editor?.close());

test('a prompt file shows its cost above its first line, and at each heading the size of the section', async () => {
  await editor.openFile('CLAUDE.md');
  const { lens, hints } = await settled(editor, 2);
  assert.match(lens, /^~?\d+ tokens in every request \(\d+ here, \d+ imported\)/);
  assert.deepEqual(Object.keys(hints), ['Project', 'Commands']);
  await editor.screenshot('prompt-file');
});

test('a click on the line above the file shows the breakdown, also when the mouse comes from the heading', async () => {
  const hover = editor.page.locator('.monaco-editor .monaco-hover:visible');
  await editor.page
    .locator('.view-line', { hasText: '# Project' })
    .first()
    .hover({ position: { x: 20, y: 8 } });
  await hover.filter({ hasText: 'In every request' }).waitFor();
  await editor.page.locator('.codelens-decoration a').first().click();
  // The editor closes a hover 300 ms after the mouse has left its text; this one has to stay.
  await editor.page.waitForTimeout(500);
  await hover
    .filter({ hasText: /In every request[\s\S]*By section/ })
    .last()
    .waitFor();
  await editor.page.keyboard.press('Escape');
});

test('the hints change while one types', async () => {
  const before = await drawn(editor);
  await editor.page.locator('.editor-instance .view-line').filter({ hasText: 'Run' }).first().click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type(' And read the whole of the design before you change any of it.');
  await editor.until(
    async () => (await drawn(editor)).hints.Commands !== before.hints.Commands,
    'the hint to change',
    20_000,
  );
  await editor.until(async () => (await drawn(editor)).lens !== before.lens, 'the lens to change', 20_000);
  await editor.screenshot('inlay-hints');
});

test('a missing import is reported, and the hover shows the size of an existing one', async () => {
  // The key has no effect while something else has the focus.
  await editor.until(
    async () => {
      await editor.page.locator('.editor-instance .view-line').first().click();
      await editor.page.keyboard.press('Control+Home');
      return editor.page
        .locator('.editor-instance .squiggly-warning')
        .first()
        .waitFor({ timeout: patience(2000) })
        .then(
          () => true,
          () => false,
        );
    },
    'the mark of the missing import',
    30_000,
  );
  const link = editor.page
    .locator('.editor-instance .view-line')
    .filter({ hasText: 'Read' })
    .getByText('docs/style.md')
    .first();
  const hover = editor.page.locator('.monaco-hover:visible').filter({ hasText: /tokens[\s\S]*docs\/style\.md/ });
  // A hover first says that it is loading, and closes if the line moves under the mouse.
  await editor.until(
    async () => {
      await editor.page.mouse.move(400, 400);
      await link.hover();
      return hover
        .last()
        .waitFor({ timeout: patience(5000) })
        .then(
          () => true,
          () => false,
        );
    },
    'the hover with the size of docs/style.md',
    30_000,
  );
});

test('the language status of a prompt file has its size', async () => {
  const item = editor.page.locator('.statusbar-item[id="status.languageStatus"]');
  await item.waitFor();
  await item.click();
  await editor.page
    .locator('.hover-language-status:visible')
    .filter({ hasText: /tokens/ })
    .first()
    .waitFor();
});

test('a disabled feature disappears, the others stay', async () => {
  editor.settings({ 'ctx.promptFiles.inlayHints': false });
  await editor.until(async () => Object.keys((await drawn(editor)).hints).length === 0, 'the hints to go');
  assert.match((await drawn(editor)).lens, /tokens/);
  editor.settings({ 'ctx.promptFiles.inlayHints': true });
  await settled(editor, 2);
});

test('VS Code for the Web shows the same line and the same hints, by the core inside the extension', async () => {
  const web = await WebEditor.open(promptFiles);
  try {
    for (const file of ['CLAUDE.md', 'AGENTS.md']) {
      fs.writeFileSync(path.join(editor.workspace, file), promptFiles[file as 'CLAUDE.md']);
      await editor.page.keyboard.press('Escape');
      if (file === 'CLAUDE.md') {
        await editor.command('File: Revert File');
      }
      await editor.openFile(file);
      await web.openFile(file);
      await Promise.all([settled(editor, 2), settled(web, 2)]);
      // An editor may still show what it computed for the file before, until its next answer.
      const both = async () => [await drawn(web), await drawn(editor)] as const;
      const same = async () => isDeepStrictEqual(...(await both()));
      await editor.until(same, 'both editors to show the same', 30_000).catch(() => {});
      const [browser, desktop] = await both();
      assert.deepEqual(browser, desktop, file);
    }
    await web.screenshot('web-prompt-file');
  } finally {
    await web.close();
  }
});
