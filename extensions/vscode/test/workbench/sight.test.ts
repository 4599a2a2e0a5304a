// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;
let transcript: Transcript;
const lines = ['package box', '', 'func Open() int { return 1 }', 'func Close() int { return 2 }', 'func Next() {}'];
const numbered = (text: string[], from = 1): string =>
  text.map((line, i) => `${String(i + from).padStart(6)}\t${line}`).join('\n');

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    files: { 'box.go': `${lines.join('\n')}\n`, 'other.txt': 'nothing of this was sent\n' },
  });
  transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript
    .title('Read the box')
    .user('Read the box.')
    .tool('Read', { file_path: path.join(editor.workspace, 'box.go'), limit: 4 }, { cached: 0, fresh: 20_000, out: 10 })
    .answer(numbered(lines.slice(0, 4)))
    .assistant('Read.', { cached: 0, fresh: 21_000, out: 10 });
  await editor.statusText(/^11%/, 60_000);
});
after(() => editor?.close());

const item = () => editor.page.locator('.statusbar-item[id$="ctx.sight"]');
/** Waits until the status bar has a sentence about the active file. */
async function sentence(fits: RegExp): Promise<void> {
  let shown = '';
  await editor.until(
    async () => {
      shown = await item()
        .innerText({ timeout: 1000 })
        .catch(() => '');
      return fits.test(shown);
    },
    () => `the sentence ${fits}; it is “${shown}”`,
    60_000,
  );
}

/** Returns the images of the marks next to the visible lines, one for each line; empty for a line without one. */
async function marks(): Promise<string[]> {
  const found = editor.page.locator(
    '.monaco-editor .glyph-margin-widgets .cgmr, .monaco-editor .margin-view-overlays .cgmr',
  );
  const all = await found.evaluateAll((elements) =>
    elements.map((e) => ({ top: e.getBoundingClientRect().top, image: getComputedStyle(e).backgroundImage })),
  );
  return all.sort((a, b) => a.top - b.top).map(({ image }) => image);
}

test('without an open file the command says to open one', async () => {
  await editor.command('Ctx: Show What the Agent Sees');
  const told = editor.page.locator('.notification-list-item', { hasText: 'Open a file of the workspace' });
  await told.first().waitFor();
  await editor.command('Notifications: Clear All Notifications');
  await editor.command('Ctx: Show What the Agent Sees');
});

test('nothing is shown or asked until the user wants it', async () => {
  await editor.openFile('box.go');
  assert.equal(await item().count(), 0);
  assert.deepEqual(await marks(), []);
});

test('lines of the request have marks, and the status bar a sentence that a screen reader reads', async () => {
  await editor.command('Ctx: Show What the Agent Sees');
  await sentence(/4 of 5 lines are in Claude Code's next request/);
  const label = await item().locator('a').first().getAttribute('aria-label');
  assert.equal(label, "4 of 5 lines are in Claude Code's next request");
  await editor.until(async () => (await marks()).length === 4, 'four marks');
  assert.equal(new Set(await marks()).size, 1);
});

test('a hover names the state, the item and the time', async () => {
  await editor.page.keyboard.press('Control+Home');
  await editor.command('Show or Focus Hover');
  const hover = editor.page.locator('.monaco-hover:visible');
  await hover.getByText('In the next request as it is here (Read box.go)').first().waitFor();
  assert.match(await hover.last().innerText(), /\(Read box\.go\), .*\d{4}/);
  await editor.page.keyboard.press('Escape');
});

test('a line that the user types is stale, with another shape, before it is saved', async () => {
  await editor.page.locator('.monaco-editor .view-line').first().click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type('es');
  // The blank line after it has the state of its neighbor.
  await sentence(/2 of 5 lines are in Claude Code's next request; 2 are stale/);
  await editor.until(async () => new Set(await marks()).size === 2, 'two shapes');
  await editor.page.keyboard.press('Control+z');
  await sentence(/4 of 5 lines/);
});

test('what the agent reads next is shown at once, and what another program changes', async () => {
  transcript
    .tool('Read', { file_path: path.join(editor.workspace, 'box.go') }, { cached: 0, fresh: 22_000, out: 10 })
    .answer(numbered(lines));
  await sentence(/All 5 lines are in Claude Code's next request/);
  fs.writeFileSync(path.join(editor.workspace, 'box.go'), `${lines.join('\n').replace('return 2', 'return 3')}\n`);
  transcript.assistant('Done.', { cached: 0, fresh: 23_000, out: 10 });
  await sentence(/4 of 5 lines are in Claude Code's next request; 1 is stale/);
  await editor.screenshot('sight');
});

test('a file without a line in the request says so, and the command hides everything', async () => {
  await editor.openFile('other.txt');
  await sentence(/0 of 1 lines are in Claude Code's next request/);
  assert.deepEqual(await marks(), []);
  await editor.openFile('box.go');
  await editor.until(async () => (await marks()).length === 5, 'five marks');
  await editor.command('Ctx: Show What the Agent Sees');
  await editor.until(async () => (await item().count()) === 0, 'the sentence gone');
  assert.deepEqual(await marks(), []);
});
