// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { Transcript } from '../driver/transcript';
import { Editor } from '../driver/editor';
import { must } from '../driver/workbench';

let editor: Editor;
let transcript: Transcript;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

test('the item is hidden while no agent works in this workspace, and appears when one begins', async () => {
  await editor.page.waitForTimeout(3000);
  assert.equal(await editor.textNow(), '');
  transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript.user('Please read the code.').assistant('It is read.', { cached: 40_000, fresh: 20_000, out: 500 });
  await editor.statusText('ctx 30% · 107k to compact', 60_000);
  assert.equal(await editor.statusKind(), 'none');
});

test('the tooltip shows both denominators, what fills the window and where the numbers come from', async () => {
  const text = await editor.tooltip();
  for (const part of [
    /Claude Code · claude-opus-4-6/,
    /Window\s+60,500 \/ 200,000\s+30%/,
    /To compaction\s+107k \/ 167,000\s+36%/,
    /Last request\s+60,000/,
    /Unattributed/,
    /Basis: measured by the provider/,
    /Window: the agent’s own table/,
    /Rule: claude-code 2\.1\.20\+/,
  ]) {
    assert.match(text, part);
  }
  await editor.screenshot('status-tooltip', { x: 860, y: 420, width: 540, height: 480 });
});

test('the item says the same in full words to a screen reader', async () => {
  const label = await editor.statusItem.locator('a').first().getAttribute('aria-label');
  assert.match(
    label ?? '',
    /Claude Code, Context window 30% used, 107k tokens left to compaction, compaction is not near/,
  );
});

test('it follows the session through the levels with their colours', async () => {
  const steps = [
    [90_000, 'ctx 65% · 36.7k to compact', 'none'],
    [112_000, 'ctx 76% · 14.7k to compact', 'warning'],
    [126_500, 'ctx 83% · 200 to compact', 'error'],
    [131_000, 'ctx 86% · compaction due', 'error'],
  ] as const;
  for (const [fresh, text, kind] of steps) {
    transcript.user('Go on.').assistant('Done.', { cached: 40_000, fresh, out: 300 });
    await editor.statusText(text);
    assert.equal(await editor.statusKind(), kind, text);
    if (kind !== 'none') {
      await editor.page.mouse.move(300, 300);
      await editor.screenshot(`status-${kind}`);
    }
  }
});

test('a crossing is told once, with what can be done about it, and nothing is done unasked', async () => {
  const toasts = editor.page.locator('.notifications-toasts .notification-list-item');
  await toasts.first().waitFor();
  const texts = await toasts.allInnerTexts();
  assert.equal(texts.filter((t) => t.includes('the next request may be compacted')).length, 1, texts.join('\n---\n'));
  assert.equal(texts.filter((t) => t.includes('beyond the line')).length, 1, texts.join('\n---\n'));
  assert.ok(!texts.some((t) => t.includes('are left before it compacts')), 'the level “soon” is off by default');
  await editor.screenshot('notification');
  const copy = toasts.filter({ hasText: 'beyond the line' }).getByText('Copy Summary');
  await copy.click();
  await editor.until(
    async () =>
      /^Context window of Claude Code, claude-opus-4-6\nUsed: 171,300 of 200,000 tokens \(86%\)/.test(
        await editor.clipboard(),
      ),
    'the summary in the clipboard',
  );
  await editor.command('Notifications: Clear All Notifications');
});

test('after a compaction the item shows an estimate, and the exact value with the next request', async () => {
  transcript.compacted(171_300, 'This session is being continued from a previous conversation. '.repeat(50));
  await editor.statusText(/^ctx ~\d+% · [\d.]+k to compact$/);
  assert.equal(await editor.statusKind(), 'none');
  transcript.user('Next.').assistant('Yes.', { cached: 20_000, fresh: 9_000, out: 100 });
  await editor.statusText('ctx 15% · 138k to compact');
});

test('each format of the setting is drawn from the Reading', async () => {
  for (const [format, text] of [
    ['windowLeft', 'ctx 85% left'],
    ['compactionUsed', 'ctx 17% to compact'],
    ['tokens', 'ctx 29.1k / 200k'],
    ['bar', 'ctx ▰▱▱▱▱▱▱▱▱▱ 15%'],
  ]) {
    editor.settings({ 'ctx.statusItem.format': format });
    await editor.statusText(text as string);
  }
  editor.settings({ 'ctx.statusItem.format': 'custom', 'ctx.statusItem.template': '{model} {used}' });
  await editor.statusText('claude-opus-4-6 29.1k');
  editor.settings({ 'ctx.statusItem.format': 'usedAndLeft', 'ctx.statusItem.enabled': false });
  await editor.statusText('');
  editor.settings({ 'ctx.statusItem.enabled': true });
  await editor.statusText(/^ctx 15%/);
});

test('a Reading is on the screen within 300 ms of the write, in the median', async (t) => {
  await editor.watchStatus();
  const taken: number[] = [];
  for (let i = 1; i <= 9; i++) {
    const wrote = Date.now();
    transcript.user('Go on.').assistant('Done.', { cached: 20_000, fresh: 9_000 + 2000 * i, out: 100 });
    taken.push((await editor.statusChangedAfter(wrote)) - wrote);
    await editor.page.waitForTimeout(300 + 37 * i);
  }
  taken.sort((a, b) => a - b);
  t.diagnostic(`milliseconds from write to screen: ${taken.join(' ')}`);
  assert.ok((taken[4] ?? Infinity) <= 300, taken.join(' '));
});

test('activation, loading included, takes at most 50 ms', async (t) => {
  const shown = await editor.activation();
  const [, processor] = /activated in \d+ ms, (\d+) ms of processor time/.exec(editor.log()) ?? [];
  t.diagnostic(`the editor says ${shown} ms; processor time ${processor} ms; load ${os.loadavg()[0]?.toFixed(1)}`);
  // Where other programs keep the processors busy, waiting for them is not the extension's doing.
  assert.ok(Number(processor) <= 50, `${processor} ms of processor time`);
  if ((os.loadavg()[0] ?? 0) < os.cpus().length) {
    assert.ok(shown <= 50, `${shown} ms`);
  }
});

test('the panel shows what fills the window, the curve with its compaction, the largest items and the advice', async () => {
  await editor.command('Ctx: Show What Fills the Context Window');
  const panel = editor.webview();
  await panel.locator('#fills .bar .piece').first().waitFor({ timeout: 15_000 });
  for (const id of ['fills', 'curve', 'items', 'advice', 'accuracy', 'spent', 'provenance']) {
    await panel.locator(`section#${id} h2`).waitFor();
  }
  await panel.locator('#curve line.fall').waitFor({ state: 'attached' });
  await panel.locator('#curve line.compaction').waitFor({ state: 'attached' });
  assert.match(await panel.locator('header').innerText(), /of the window/);
  const rows = await panel.locator('#fills tbody tr').allInnerTexts();
  assert.ok(
    rows.some((r) => /Unattributed/.test(r)),
    rows.join('\n'),
  );
  const policy = await panel.locator('meta[http-equiv]').getAttribute('content');
  assert.match(policy ?? '', /^default-src 'none'/);
  assert.doesNotMatch(policy ?? '', /unsafe/);
  await editor.screenshot('panel');
});

test('the panel is worked with the keyboard, and follows the session', async () => {
  const panel = editor.webview();
  await panel.locator('.curve').focus();
  await editor.page.keyboard.press('Home');
  const first = await panel.locator('#curve output').innerText();
  await editor.page.keyboard.press('End');
  const last = await panel.locator('#curve output').innerText();
  assert.notEqual(first, last);
  const before = await panel.locator('header .numbers').innerText();
  transcript.user('Go on.').assistant('Done.', { cached: 20_000, fresh: 77_000, out: 100 });
  await editor.until(
    async () => (await panel.locator('header .numbers').innerText()) !== before,
    'the panel to change',
  );
  assert.match(await panel.locator('header .numbers').innerText(), /^49%/);
});

test('the panel follows the theme', async () => {
  const colour = async (): Promise<string> =>
    editor.webview().locator('body').evaluate('getComputedStyle(document.body).color') as Promise<string>;
  const before = await colour();
  editor.settings({ 'workbench.colorTheme': 'Default Dark Modern' });
  await editor.until(async () => (await colour()) !== before, 'the theme to change');
  await editor.screenshot('panel-dark');
  editor.settings({ 'workbench.colorTheme': 'Default Light Modern' });
});

test('a click picks among sessions, fullest first, and the pick stays until the focus is followed again', async () => {
  const second = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  second.user('A second one.').assistant('Hello.', { cached: 0, fresh: 30_000, out: 10 });
  await editor.statusText(/^ctx 15%/);
  await editor.statusItem.click();
  const rows = editor.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: '49%' }).waitFor();
  const texts = (await rows.allInnerTexts()).filter((t) => /\d%/.test(t));
  assert.match(texts[0] ?? '', /49%/);
  assert.match(texts[1] ?? '', /15%/);
  await editor.screenshot('quick-pick');
  await rows.filter({ hasText: '49%' }).first().click();
  await editor.statusText(/^ctx 49%/);
  second.user('More.').assistant('Again.', { cached: 0, fresh: 40_000, out: 10 });
  await editor.page.waitForTimeout(1500);
  await editor.statusText(/^ctx 49%/);
  await editor.command('Ctx: Follow the Focus Again');
  await editor.statusText(/^ctx 20%/);
});
