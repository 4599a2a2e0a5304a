// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';
import { promptFiles } from '../promptFile';

const hour = 3_600_000;
let editor: Editor;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX'), files: promptFiles });
});
after(() => editor?.close());

const toasts = () => editor.page.locator('.notifications-toasts .notification-list-item');
const session = (title: string, ago: number, fresh: number, model = 'claude-opus-4-6'): Transcript =>
  new Transcript(path.join(editor.home, '.claude'), editor.workspace, undefined, model, ago)
    .title(title)
    .user('Hi.')
    .assistant('Hello.', { cached: 0, fresh, out: 0 });

test('a full session of yesterday is dim and idle, and shows no alarm', async () => {
  session('Yesterday', 20 * hour, 166_000);
  await editor.statusText('83% · idle');
  assert.equal(await editor.statusKind(), 'none');
  assert.equal(await editor.statusItem.locator('.codicon:not(.codicon-ctx-ring-8)').count(), 0);
  await editor.tooltipThat(/Yesterday — Claude Code[\s\S]*idle/);
  await editor.screenshot('idle');
  assert.equal(await toasts().count(), 0);
});

test('a step of the walkthrough is ticked by a session, or a prompt file, from before it was opened', async () => {
  await editor.openFile('CLAUDE.md');
  await editor.page.locator('.codelens-decoration').filter({ hasText: 'tokens in every request' }).first().waitFor();
  await editor.page.locator('.statusbar-item[id="status.languageStatus"]').waitFor();
  await editor.command('Ctx: Get Started');
  for (const id of ['status', 'prompt']) {
    const step = editor.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
    await step.waitFor();
    await editor.until(
      async () => (await step.locator('.codicon-getting-started-step-checked').count()) > 0,
      `the step ${id} to be ticked`,
      20_000,
    );
  }
  await editor.screenshot('walkthrough');
});

test('an active session is shown before one that was full yesterday, in the item and in the list', async () => {
  session('Today', 0, 20_000);
  await editor.statusText(/^10%/);
  await editor.statusItem.click();
  const rows = editor.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Today' }).waitFor();
  const texts = (await rows.allInnerTexts()).filter((t) => /\d%/.test(t));
  assert.match(texts[0] ?? '', /10% Today[\s\S]*main · just now/);
  assert.match(texts[1] ?? '', /83% Yesterday[\s\S]*idle · main · 20 h ago/);
  await editor.screenshot('idle-list');
  await editor.page.keyboard.press('Escape');
});

test('in high-contrast themes a level is distinct without its color', async () => {
  session('Nearly full', 0, 153_000);
  await editor.statusText(/^77%/);
  // It is announced, and the session of yesterday, whose announcement would have come before, is not.
  await toasts().filter({ hasText: 'Nearly full' }).waitFor();
  assert.equal(await toasts().filter({ hasText: 'Yesterday' }).count(), 0);
  for (const theme of ['Default High Contrast', 'Default High Contrast Light'] as const) {
    await editor.theme(theme);
    assert.match(await editor.textNow(), /^77% · .*compacts/, theme);
    await editor.screenshot(`status-${theme.replaceAll(' ', '-').toLowerCase()}`);
  }
});

test('the lens of a prompt file divides by the same window as the item', async () => {
  await editor.openFile('CLAUDE.md');
  await editor.tooltipThat(/of 200k/);
  const lens = editor.page.locator('.editor-instance .codelens-decoration').filter({ hasText: 'of 200k' });
  await lens.first().waitFor();
});

test('a session that is picked is the one for which prompt files are counted, in the lens too', async () => {
  const other = session('Of another model', 0, 30_000, 'claude-opus-4-7');
  const lens = (model: string) =>
    editor.page.locator('.editor-instance .codelens-decoration').filter({ hasText: `for ${model}` });
  await lens('claude-opus-4-7').first().waitFor();
  await editor.command('Ctx: Pick a Session…');
  await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Nearly full' }).first().click();
  await editor.tooltipThat(/Nearly full/);
  await lens('claude-opus-4-6').first().waitFor();
  await editor.command('Ctx: Follow the Focus Again');
  await lens('claude-opus-4-7').first().waitFor();
  fs.rmSync(other.file);
});

test('a session without a title is called by its first words; with titles off by its folder and age, everywhere', async () => {
  new Transcript(path.join(editor.home, '.claude'), editor.workspace)
    .user('Please tune the xylophone.')
    .assistant('Done.', { cached: 0, fresh: 24_000, out: 0 });
  await editor.tooltipThat(/^Please tune the xylophone\. — Claude Code/);
  await editor.command('Ctx: Show What Fills the Context Window');
  const name = (text: RegExp) => editor.webview().locator('p.name').filter({ hasText: text });
  await name(/^Please tune the xylophone\. — Claude Code$/).waitFor();
  editor.settings({ 'ctx.titles': false });
  await editor.tooltipThat(/^workspace, (just now|\d+ min ago) — Claude Code/);
  await name(/^workspace, (just now|\d+ min ago) — Claude Code$/).waitFor();
  editor.settings({ 'ctx.titles': true });
  await name(/^Please tune the xylophone\. — Claude Code$/).waitFor();
  assert.doesNotMatch(editor.log(), /xylophone/);
});
