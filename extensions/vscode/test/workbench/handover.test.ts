// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;
let transcript: Transcript;

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    files: {
      'src/small.ts': 'export const answer = 42;\n',
      'src/large.json': JSON.stringify(Array.from({ length: 30_000 }, (_, i) => ({ id: i, name: `thing ${i}` }))),
    },
  });
  transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript
    .title('Add retries')
    .user('Add retries to src/client.ts.')
    .assistant('I had a look at LegacyWidget as well.', { cached: 0, fresh: 150_000, out: 10 })
    .compacted(150_010, 'The person wants retries in src/client.ts, nothing else.')
    .user('Now test it.')
    .assistant('It is tested.', { cached: 0, fresh: 60_000, out: 10 });
  await editor.statusText(/^30%/, 60_000);
});
after(() => editor?.close());

const row = (text: string) => editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });

/** Chooses where the note goes. The palette that was open before has entries of its own. */
async function handOver(way: string): Promise<void> {
  await editor.command('Ctx: Hand Over…');
  await editor.page.locator('.quick-input-title').filter({ hasText: 'Handover note of at most' }).waitFor();
  await row(way).first().click();
}

test('a note to go on with is written from the transcript and copied', async () => {
  await handOver('Copy');
  await editor.until(
    async () => /^# Handover: Add retries\n\nClaude Code, claude-opus-4-6 in /.test(await editor.clipboard()),
    'the note in the clipboard',
  );
  const note = await editor.clipboard();
  assert.match(note, /## Goal \(first request\)\n\n> Add retries to src\/client\.ts\.\n/);
  assert.match(note, /## Last request\n\n> Now test it\.\n/);
  assert.match(note, /## Last reply\n\nIt is tested\.\n/);
  assert.match(note, /1 compaction/);
});

test('the note is typed into a new session’s terminal, and nothing is run', async () => {
  await handOver('Type It into a New Claude Code');
  const rows = editor.page.locator('.terminal-wrapper.active .xterm-rows');
  const typed = async (): Promise<string> => (await rows.innerText().catch(() => '')).replace(/\s+/g, '');
  await editor.until(async () => /--tokens=2000\)"/.test(await typed()), 'the line in the terminal', 30_000);
  // A line that was run would not go on here.
  await editor.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
  await editor.page.keyboard.type('.');
  await editor.until(async () => (await typed()).endsWith('.'), 'the period behind the line');
  assert.match(await typed(), new RegExp(`claude"\\$\\(\\S+handover${transcript.session}--tokens=2000\\)"\\.$`));
});

test('a page shows what the last compaction kept, summarized and dropped', async () => {
  await editor.command('Ctx: Show Content Dropped by Compaction');
  const page = editor.webview();
  await page.getByRole('heading', { name: 'Add retries' }).waitFor();
  const text = (await page.locator('body').innerText()).replace(/\u00a0/g, ' ');
  assert.match(
    text,
    /Of \d+ tokens in the conversation, 0 were kept, \d+ are mentioned in the summary, and \d+ were dropped\./,
  );
  const [, summarized = '', dropped = ''] = /In the summary: \d+([\s\S]*)Dropped: \d+([\s\S]*)Summary/.exec(text) ?? [];
  assert.match(summarized, /Add retries to src\/client\.ts\./);
  assert.match(dropped, /LegacyWidget/);
  assert.match(text, /nothing else/);
  await editor.screenshot('forgotten');
});

const toast = (text: string | RegExp) =>
  editor.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });

test('a file is asked about before it is sent, and the language status counts it', async () => {
  await editor.openFile('src/small.ts');
  await editor.command('Ctx: Will It Fit?');
  await toast(/Add retries — Claude Code: ~?\d+ → \d+% of the threshold/).waitFor();
  await editor.screenshot('fits');
  const status = editor.page.locator('.statusbar-item[id="status.languageStatus"]');
  await editor.until(async () => {
    await status.hover();
    const hover = editor.page.locator('.monaco-hover:visible').last();
    return /~?\d+ tokens in this file/.test(await hover.innerText({ timeout: 2000 }).catch(() => ''));
  }, 'the tokens in the language status');
});

test('a folder shows which files do not fit', async () => {
  await editor.page
    .locator('.explorer-folders-view .monaco-list-row')
    .filter({ hasText: /^\s*src\s*$/ })
    .first()
    .click({
      button: 'right',
    });
  await editor.choose('Will It Fit?');
  await row('src/large.json').first().waitFor();
  assert.match(await row('src/large.json').first().innerText(), /leave it out/);
  assert.match(
    await editor.page.locator('.quick-input-title').first().innerText(),
    /; \d+ without (src\/)?large\.json$/,
  );
  await editor.screenshot('fits-folder');
  await editor.page.keyboard.press('Escape');
});
