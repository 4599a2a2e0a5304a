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
const hour = 3_600_000;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

const rows = (view: string) => editor.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
const sessionRows = () => rows('Sessions');
const fillRows = () => rows('Content of the Window');

test('an empty view says what was looked for and found, and offers what can be done', async () => {
  const config = path.join(editor.home, '.claude');
  new Transcript(config, '/somewhere/else', undefined, 'claude-opus-4-6', 60 * hour).user('Hello.');
  await editor.command('Ctx: Show Sessions and What Fills Them');
  await sessionRows().filter({ hasText: 'Claude Code' }).waitFor();
  const texts = (await sessionRows().allInnerTexts()).join('\n');
  const pane = editor.page.locator('.pane:has(.pane-header[aria-label^="Sessions"])');
  assert.match(
    await pane.innerText(),
    /No agent has been active in this workspace yet\. Start one to see its context window/,
  );
  await editor.page.getByText('This view lists the content').waitFor();
  assert.match(texts, /Claude Code\s*1 session, the newest (just now|\d+ min ago)/);
  assert.match(texts, /Not found\s*Codex, OpenCode/);
  assert.match(texts, /Look for Sessions of Other Workspaces/);
  await editor.screenshot('view-empty');
});

test('the document says what was found, with the places', async () => {
  await sessionRows().filter({ hasText: 'Agents Found' }).click();
  const lines = editor.page.locator('.editor-instance .view-lines');
  await lines.filter({ hasText: 'Agents found' }).waitFor();
  const text = (await lines.innerText()).replaceAll('\u00a0', ' ');
  assert.match(text, /Claude Code: 1 session/);
  assert.ok(text.includes(path.join(editor.home, '.claude', 'projects').slice(0, 40)), text);
});

test('the tree has each session with percent, bar, age and state, and marks the one that is shown', async () => {
  const config = path.join(editor.home, '.claude');
  transcript = new Transcript(config, editor.workspace);
  transcript.title('Fix the retry logic').user('Please fix it.');
  transcript.tool('Read', { file_path: path.join(editor.workspace, 'src/api.go') });
  transcript.answer('package api\n'.repeat(9000));
  transcript.assistant('It is fixed.', { cached: 60_000, fresh: 92_000, out: 500 });
  const second = new Transcript(config, editor.workspace);
  second.title('Write the docs').user('Write.').assistant('Done.', { cached: 0, fresh: 30_000, out: 10 });
  await sessionRows().filter({ hasText: 'Fix the retry logic' }).waitFor();
  await sessionRows().filter({ hasText: 'Write the docs' }).waitFor();
  const texts = await sessionRows().allInnerTexts();
  assert.match(texts[0] ?? '', /76% Fix the retry logic\s*▰+▱* · (just now|\d+ min ago) · waiting for you/);
  assert.match(texts[1] ?? '', /15% Write the docs/);
});

test('a sub-agent stands below its session, with its kind and a number of its own', async () => {
  transcript.subAgent('a1b2c3', 'Explore', 'Find the callers.', { cached: 0, fresh: 24_000, out: 10 });
  const child = sessionRows().filter({ hasText: 'Explore' });
  await child.waitFor();
  assert.match(await child.innerText(), /12% Explore\s*▰/);
  assert.equal(await child.getAttribute('aria-level'), '2');
  assert.match(await sessionRows().first().innerText(), /Fix the retry logic/);
  assert.match(await sessionRows().nth(1).innerText(), /Explore/);
  await editor.screenshot('view-sub-agent');
});

test('a badge on the activity bar counts the sessions that are near their compaction', async () => {
  const badge = editor.page.locator('.activitybar .action-item:has([aria-label^="Context Windows"]) .badge-content');
  await editor.until(
    async () =>
      (await badge
        .first()
        .innerText()
        .catch(() => '')) === '1',
    'the badge to say 1',
    30_000,
  );
});

test('choosing a session shows it everywhere, and below the tree what fills it, by name, under one sentence', async () => {
  await sessionRows().filter({ hasText: 'Fix the retry logic' }).click();
  await editor.statusText(/^ctx 76%/);
  await fillRows().filter({ hasText: 'api.go' }).waitFor();
  const texts = await fillRows().allInnerTexts();
  assert.match(texts[0] ?? '', /Largest items/);
  assert.match(texts[1] ?? '', /^~?[\d,]+ Read .*api\.go/m);
  const pane = editor.page.locator('.pane:has(.pane-header[aria-label^="Content of the Window"])');
  assert.match(await pane.innerText(), /(requests?|tokens) until Claude Code compacts/);
  for (const [theme, name] of [
    ['Default Light Modern', 'light'],
    ['Default High Contrast', 'hc-dark'],
    ['Default High Contrast Light', 'hc-light'],
    ['Default Dark Modern', 'dark'],
  ] as const) {
    await editor.theme(theme);
    await editor.screenshot(`view-${name}`);
  }
});

test('in a view as narrow as an editor makes it, each line shows its number', async () => {
  await editor.page.setViewportSize({ width: 368, height: 800 });
  const hidden = async (): Promise<string[]> =>
    (await editor.page.evaluate(`[...document.querySelectorAll('.pane .monaco-list-row .label-name')].flatMap((label) => {
      const [number] = /^[~≥]?\\d[\\d.,k%]*/.exec(label.innerText) ?? [];
      const text = document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode();
      if (!number || !text) return [];
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, number.length);
      const row = label.closest('.monaco-list-row').getBoundingClientRect();
      return range.getBoundingClientRect().right < Math.min(row.right, 230) ? [] : [label.innerText];
    })`)) as string[];
  const numbers = editor.page.locator('.pane .monaco-list-row').filter({ hasText: /^\s*[~≥]?\d/ });
  assert.ok((await numbers.count()) >= 4, (await numbers.allInnerTexts()).join('\n'));
  assert.deepEqual(await hidden(), []);
  await editor.page.setViewportSize({ width: 1400, height: 900 });
});

test('a named thing opens its place in the transcript', async () => {
  await fillRows().filter({ hasText: 'api.go' }).click();
  await editor.page.locator(`.tab.active[data-resource-name="${transcript.session}.jsonl"]`).waitFor();
  const position = editor.page.locator('.statusbar-item[id="status.editor.selection"]');
  await editor.until(async () => /Ln 4, Col 1/.test(await position.innerText()), 'the cursor to stand at the result');
});

test('the last line says how the setup of this workspace has changed, and opens all of its sessions', async () => {
  await fillRows().first().click();
  await editor.page.keyboard.press('End');
  const line = fillRows().filter({ hasText: /Fixed context [\d,]+ → [\d,]+/ });
  await line.waitFor();
  assert.match((await line.innerText()).replaceAll('\u00a0', ' '), /since /);
  await line.click();
  const lines = editor.page.locator('.editor-instance .view-lines').filter({ hasText: 'Fixed context over time' });
  await lines.waitFor();
  const text = (await lines.innerText()).replaceAll('\u00a0', ' ');
  assert.ok(text.includes(transcript.session), text);
});
