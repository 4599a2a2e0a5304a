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
const hour = 3_600_000;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

const rows = (view: string) => editor.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
const sessionRows = () => rows('Sessions');
const fillRows = () => rows('Content of the Window');

test('an empty view shows what was searched and found, and offers actions', async () => {
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

test('the document lists what was found, with the paths', async () => {
  await sessionRows().filter({ hasText: 'Agents Found' }).click();
  const page = editor.webview();
  await page.getByRole('heading', { name: 'Agents found' }).waitFor();
  const text = await page.locator('body').innerText();
  assert.match(text, /Claude Code: 1 session/);
  assert.ok(text.includes(path.join(editor.home, '.claude', 'projects').slice(0, 40)), text);
  // A page that stays open would have to follow every theme of the cases below.
  await editor.command('View: Close All Editors');
});

test('the tree has each session with a bar, a name, percent and age, and marks the one that is shown', async () => {
  const config = path.join(editor.home, '.claude');
  transcript = new Transcript(config, editor.workspace);
  transcript.title('Fix the retry logic').user('Please fix it.');
  transcript.tool('Read', { file_path: path.join(editor.workspace, 'src/api.go') });
  transcript.answer('package api\n'.repeat(9000));
  transcript.assistant('It is fixed.', { cached: 60_000, fresh: 92_000, out: 500 });
  const second = new Transcript(config, editor.workspace);
  second.title('Write the docs').user('Write.').assistant('Done.', { cached: 0, fresh: 30_000, out: 10 });
  await sessionRows().filter({ hasText: 'Fix the retry' }).waitFor();
  await sessionRows().filter({ hasText: 'Write the docs' }).waitFor();
  const texts = await sessionRows().allInnerTexts();
  assert.match(texts[0] ?? '', /^\s*Fix the retry…\s*76%( •)?\s*$/);
  assert.match(texts[1] ?? '', /^\s*Write the docs\s*15%( •)?\s*$/);
  assert.equal(await sessionRows().first().locator('.codicon-ctx-bar-4').count(), 1, 'the bar of 76%');
  await sessionRows().filter({ hasText: '•' }).first().waitFor();
  assert.match(
    (await sessionRows().first().getAttribute('aria-label')) ?? '',
    /76% · 153k \/ 200k, .*until it compacts.*waiting for you/,
  );
});

test('a sub-agent is below its session, with its kind, a bar and an age', async () => {
  transcript.subAgent('a1b2c3', 'Explore', 'Find the callers.', { cached: 0, fresh: 24_000, out: 10 });
  const child = sessionRows().filter({ hasText: 'Explore' });
  await child.waitFor();
  assert.match(await child.innerText(), /Explore\s*(now|\d+ min)/);
  assert.equal(await child.getAttribute('aria-level'), '2');
  assert.match(await sessionRows().first().innerText(), /Fix the retry/);
  assert.match(await sessionRows().nth(1).innerText(), /Explore/);
  await editor.screenshot('view-sub-agent');
});

test('a badge on the activity bar counts only sessions that may compact with the next request', async () => {
  const badge = editor.page.locator('.activitybar .action-item:has([aria-label^="Context Windows"]) .badge-content');
  const text = async (): Promise<string> =>
    badge
      .first()
      .innerText({ timeout: 2000 })
      .catch(() => '');
  assert.equal(await text(), '', 'compaction is near, and the item says so; the badge does not');
  const due = new Transcript(path.join(editor.home, '.claude'), editor.workspace).title('Due');
  due.user('Go.').assistant('Done.', { cached: 0, fresh: 166_800, out: 10 });
  await sessionRows().filter({ hasText: 'Due' }).waitFor();
  await editor.until(async () => (await text()) === '1', 'the badge to say 1', 30_000);
  fs.rmSync(due.file);
  await sessionRows().filter({ hasText: 'Due' }).waitFor({ state: 'detached' });
  await editor.until(async () => (await text()) === '', 'the badge to go', 30_000);
});

test('choosing a session shows it everywhere, and below the tree what fills it, by name, under one sentence', async () => {
  await sessionRows().filter({ hasText: 'Fix the retry' }).click();
  await editor.statusText(/^76%/);
  await fillRows().filter({ hasText: 'api.go' }).waitFor();
  const texts = await fillRows().allInnerTexts();
  assert.match(texts[0] ?? '', /Largest items/);
  assert.match(texts[1] ?? '', /^\s*Read api\.go\s*~?[\d.]+k/m);
  const pane = editor.page.locator('.pane:has(.pane-header[aria-label^="Content of the Window"])');
  assert.match(await pane.innerText(), /(requests?|tokens) until it compacts/);
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

test('no row is cut at 240, 300 and 480 px, in four themes', async () => {
  const sash = editor.page.locator('.monaco-sash.vertical').first();
  await sash.waitFor({ state: 'attached' });
  const bar = editor.page.locator('.part.sidebar');
  for (const width of [240, 300, 480]) {
    await editor.until(
      async () => {
        const box = await bar.boundingBox();
        assert.ok(box);
        if (Math.abs(box.width - width) < 2) {
          return true;
        }
        await editor.page.mouse.move(box.x + box.width, 400);
        await editor.page.mouse.down();
        await editor.page.mouse.move(box.x + width, 400, { steps: 4 });
        await editor.page.mouse.up();
        await editor.page.mouse.move(900, 300);
        return false;
      },
      `the side bar to be ${width} px wide`,
      30_000,
    );
    for (const [theme, name] of [
      ['Default Light Modern', 'light'],
      ['Default High Contrast', 'hc-dark'],
      ['Default High Contrast Light', 'hc-light'],
      ['Default Dark Modern', 'dark'],
    ] as const) {
      await editor.theme(theme);
      const cut = (await editor.page.evaluate(`(() => {
        const rows = [...document.querySelectorAll('.part.sidebar .pane .monaco-list-row:has(.custom-view-tree-node-item-icon)')];
        const wide = (row) => {
          const box = row.querySelector('.monaco-icon-label-container') ?? row;
          return box.scrollWidth > box.clientWidth + 1;
        };
        return { rows: rows.length, cut: rows.filter(wide).map((row) => row.innerText.replace(/\\s+/g, ' ')) };
      })()`)) as { rows: number; cut: string[] };
      assert.ok(cut.rows >= 6, `${cut.rows} rows`);
      assert.deepEqual(
        cut.cut.filter((row) => !/^Fixed context/.test(row.trim())),
        [],
        `${width} px, ${name}`,
      );
      await editor.screenshot(`view-${width}-${name}`, { x: 0, y: 0, width: width + 60, height: 900 });
    }
  }
});

test('a named thing opens its place in the transcript', async () => {
  await fillRows().filter({ hasText: 'api.go' }).click();
  await editor.page.locator(`.tab.active[data-resource-name="${transcript.session}.jsonl"]`).waitFor();
  const position = editor.page.locator('.statusbar-item[id="status.editor.selection"]');
  await editor.until(async () => /Ln 4, Col 1/.test(await position.innerText()), 'the cursor to stand at the result');
});

test('the last line shows how the setup of this workspace has changed, and opens all of its sessions', async () => {
  await fillRows().first().click();
  await editor.page.keyboard.press('End');
  const line = fillRows().filter({ hasText: /Fixed context [\d,]+ → [\d,]+/ });
  await line.waitFor();
  assert.match((await line.innerText()).replaceAll('\u00a0', ' '), /since /);
  await line.click();
  const page = editor.webview();
  await page.getByRole('heading', { name: 'Fixed context over time' }).waitFor();
  const text = await page.locator('body').innerText();
  assert.ok(text.includes(transcript.session), text);
});
