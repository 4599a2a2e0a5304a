// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

// The pictures of the README and of the four themes. CTX_TEST_TRANSCRIPT=FILE shows a real transcript of Claude Code.

let editor: Editor;
const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
  await editor.page.setViewportSize({ width: 1200, height: 800 });
});
after(() => editor?.close());

/** Lays a transcript where the agent would, as if it had been written in this workspace just now. */
function place(file: string | undefined): void {
  const config = path.join(editor.home, '.claude');
  const other = new Transcript(config, editor.workspace);
  other.title('Write the docs').user('Write.').assistant('Done.', { cached: 0, fresh: 31_000, out: 10 });
  const old = new Transcript(config, editor.workspace, undefined, 'claude-opus-4-6', 3 * 3_600_000);
  old.title('Sort the imports').user('Sort.').assistant('Done.', { cached: 0, fresh: 62_000, out: 10 });
  const shown = new Transcript(config, editor.workspace).title('Fix the retry logic');
  if (file === undefined) {
    shown.user('Please fix it.');
    for (const [name, lines] of Object.entries({ 'src/api.go': 9000, 'src/retry.go': 3000, 'docs/errors.md': 2500 })) {
      shown.tool('Read', { file_path: path.join(editor.workspace, name) }).answer('package api\n'.repeat(lines));
    }
    shown.tool('Bash', { command: 'npm test' }).answer('ok 1 - a test\n'.repeat(1500));
    shown.assistant('It is fixed.', { cached: 60_000, fresh: 96_000, out: 500 });
    return;
  }
  const records = fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((r) => !/"type":"(custom|ai)-title"/.test(r));
  const times = records.map((r) => Date.parse(/"timestamp":\s*"([^"]+)"/.exec(r)?.[1] ?? '')).filter(Number.isFinite);
  const late = Date.now() - Math.max(...times);
  const lines = records.map((record) => {
    const r = JSON.parse(record) as Record<string, unknown>;
    return JSON.stringify({
      ...r,
      ...('cwd' in r && { cwd: editor.workspace }),
      ...('sessionId' in r && { sessionId: shown.session }),
      ...(typeof r.timestamp === 'string' && { timestamp: new Date(Date.parse(r.timestamp) + late).toISOString() }),
    });
  });
  fs.appendFileSync(shown.file, `${lines.join('\n')}\n`);
  shown.title('Fix the retry logic');
}

async function inThemes(name: string): Promise<void> {
  for (const [short, theme] of Object.entries(themes)) {
    editor.settings({ 'workbench.colorTheme': theme });
    await editor.page.waitForTimeout(1500);
    await editor.screenshot(`${name}-${short}`);
  }
}

test('a session grows, warns and is compacted, and the view says so at each step', async () => {
  await editor.command('Ctx: Show Sessions and What Fills Them');
  const grown = new Transcript(path.join(editor.home, '.claude'), editor.workspace).title('Add a cart');
  grown.user('Add a cart.').tool('Read', { file_path: path.join(editor.workspace, 'src/cart.go') });
  grown.answer('package cart\n'.repeat(4000));
  const row = editor.page.locator('.monaco-list-row[role="treeitem"]').filter({ hasText: 'Add a cart' });
  const frame = async (n: number, text: RegExp): Promise<void> => {
    await editor.statusText(text, 150_000);
    await row.filter({ hasText: /\d+%/ }).waitFor();
    await editor.page.waitForTimeout(1200);
    await editor.page.mouse.move(900, 300);
    await editor.screenshot(`growth-${n}`);
  };
  const steps = [
    [30_000, /^ctx 35%/],
    [80_000, /^ctx 60%/],
    [112_000, /^ctx 76%/],
    [126_500, /^ctx 83%/],
  ] as const;
  for (const [n, [fresh, text]] of steps.entries()) {
    grown.user('Go on.').assistant('Done.', { cached: 40_000, fresh, out: 300 });
    await frame(n + 1, text);
  }
  grown.compacted(166_800, 'This session is being continued from a previous conversation.');
  grown.user('Go on.').assistant('Done.', { cached: 20_000, fresh: 9000, out: 300 });
  await frame(5, /^ctx 1\d%/);
  fs.rmSync(grown.file);
  await row.waitFor({ state: 'detached', timeout: 30_000 });
});

test('view and panel are whole in four themes at 1,200 px', async () => {
  editor.settings({ 'ctx.notifications.soon': false, 'ctx.notifications.now': false, 'ctx.notifications.over': false });
  place(process.env.CTX_TEST_TRANSCRIPT);
  await editor.command('Ctx: Show Sessions and What Fills Them');
  const row = editor.page.locator('.monaco-list-row[role="treeitem"]').filter({ hasText: 'Fix the retry logic' });
  await row.waitFor({ timeout: 60_000 });
  await row.click();
  await editor.page
    .locator('.notification-toast')
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => undefined);
  await editor.command('Notifications: Clear All Notifications');
  await editor.command('Ctx: Show What Fills the Context Window');
  const panel = editor.webview();
  await panel.locator('#curve .course').first().waitFor({ timeout: 30_000 });
  await editor.page.mouse.move(600, 790);
  await inThemes('wide');
  // Every part that is drawn differs from its neighbours in colour.
  const colours = (await panel
    .locator('#fills .bar')
    .evaluate(
      `[...document.querySelectorAll('#fills .bar .piece')].map((p) => getComputedStyle(p).backgroundColor + p.className)`,
    )) as string[];
  assert.equal(new Set(colours.map((c) => c.replace(/^.*kind-/, ''))).size >= 2, true);
  assert.match(await editor.tooltip(), /Fix the retry logic/);
  await editor.screenshot('tooltip', { x: 600, y: 420, width: 600, height: 380 });
});

test('the panel at 320 px is read without scrolling sideways, in four themes', async () => {
  await editor.command('View: Toggle Primary Side Bar Visibility');
  await editor.page.setViewportSize({ width: 368, height: 800 });
  const panel = editor.webview();
  await editor.page.waitForTimeout(1000);
  await panel.locator('body').evaluate('scrollTo(0, 0)');
  const [width, inside] = (await panel
    .locator('body')
    .evaluate('[innerWidth, document.documentElement.scrollWidth]')) as [number, number];
  assert.ok(width <= 340, `the panel is ${width} px wide`);
  assert.ok(inside <= width, `${inside} px are drawn in ${width}`);
  await inThemes('narrow');
});
