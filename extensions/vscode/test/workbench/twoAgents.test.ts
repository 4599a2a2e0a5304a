// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { now } from '../driver/recorded';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

/**
 * Two stand-ins for an agent, each in a terminal of its own, in one folder: the commonest way of working side by side.
 * Each says which keys reached it, Enter or not.
 */
let editor: Editor;
let one: Transcript;
let two: Transcript;
const keys = (name: string): string => {
  const file = path.join(editor.root, `keys-${name}`);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    settings: { 'terminal.integrated.gpuAcceleration': 'off' }, // its text is part of the page then
  });
  fs.writeFileSync(
    path.join(editor.root, 'claude'),
    `#!/bin/sh\nstty -icanon -echo min 1\necho $$ > ${editor.root}/pid-$1\necho agent $1 is ready\ncat >> ${editor.root}/keys-$1\n`,
    { mode: 0o755 },
  );
  const config = path.join(editor.home, '.claude');
  one = new Transcript(config, editor.workspace).title('Session one');
  two = new Transcript(config, editor.workspace).title('Session two');
  for (const name of ['one', 'two']) {
    await editor.command('Terminal: Create New Terminal');
    await editor.inTerminal(`${editor.root}/claude ${name}\n`, new RegExp(`agent ${name} is ready`));
  }
  one.user('Hi.').assistant('Hello.', { cached: 0, fresh: 120_000, out: 0 });
  await editor.statusText(/^60%/);
  two.user('Hi.').assistant('Hello.', { cached: 0, fresh: 150_000, out: 0 });
});
after(() => editor?.close());

/** Types a period behind the command, and waits until it has arrived: what was typed before it has arrived, too. */
async function arrived(name: 'one' | 'two'): Promise<void> {
  await editor.until(async () => keys(name) !== '', 'the keys to arrive');
  await editor.page.locator('.statusbar').filter({ hasText: '/compact was typed' }).waitFor();
  await editor.page.keyboard.type('.');
  await editor.until(async () => keys(name).endsWith('.'), 'the period to arrive');
}

const list = () => editor.page.locator('.quick-input-list .monaco-list-row');

test('of two agents in one folder neither is the focused one without proof', async () => {
  await editor.statusText(/^75%/);
  const text = await editor.tooltipThat(/one of 2 sessions/);
  assert.doesNotMatch(text, /: runs in the focused terminal/);
  await editor.screenshot('two-agents');
});

test('while two agents are at work, a second ring has the other, and its click shows that one', async () => {
  const second = editor.page.locator('.statusbar-item[id="ctx-lsp.ctx-lsp.ctx.beside"]');
  await editor.until(async () => /^\s*60%\s*$/.test(await second.innerText()), 'the ring of the other agent');
  await second.locator('.codicon-ctx-ring-6').waitFor();
  await editor.screenshot('two-rings', { x: 1000, y: 860, width: 400, height: 40 });
  await second.hover();
  await editor.page.locator('.monaco-hover:visible').filter({ hasText: 'Session one — Claude Code' }).waitFor();
  await second.click();
  await editor.statusText(/^60%/);
  await editor.until(async () => /^\s*75%\s*$/.test(await second.innerText()), 'the two to change places');
  await editor.command('Ctx: Follow the Focus Again');
  await editor.statusText(/^75%/);
});

test('before anything is typed the user chooses the terminal, by both titles; Escape types nothing', async () => {
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  await editor.page.locator('.quick-input-title').filter({ hasText: 'Which terminal runs Session two' }).waitFor();
  assert.equal(await list().count(), 2);
  const rows = await list().allInnerTexts();
  assert.ok(
    rows.every((r) => /Session two — Claude Code · Session one — Claude Code/.test(r)),
    rows.join('\n'),
  );
  await editor.screenshot('two-agents-asked');
  await editor.page.keyboard.press('Escape');
  await list().first().waitFor({ state: 'hidden' });
  assert.deepEqual([keys('one'), keys('two')], ['', '']);
});

test('the command is typed only into the chosen terminal, and Enter is left to the user', async () => {
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  await list().nth(1).click();
  await arrived('two');
  assert.deepEqual([keys('one'), keys('two')], ['', '/compact.']);
});

test('while a tool runs, or waits for a permission unseen, nothing is typed and no question appears', async () => {
  two.tool('Bash', { command: 'npm test' });
  await editor.tooltipThat(/working/);
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  await editor.page
    .locator('.notifications-toasts .notification-list-item')
    .filter({ hasText: 'is working. Nothing was typed' })
    .waitFor();
  assert.deepEqual([keys('one'), keys('two')], ['', '/compact.']);
});

/** Writes what Claude Code writes of each of its processes. */
function claim(name: 'one' | 'two', of: Transcript, change: object): void {
  const pid = Number(fs.readFileSync(path.join(editor.root, `pid-${name}`), 'utf8'));
  const folder = path.join(editor.home, '.claude/sessions');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, `${pid}.json`),
    JSON.stringify({ pid, sessionId: of.session, cwd: editor.workspace, startedAt: now(), ...change }),
  );
}

test('with the agents’ own files the terminal in front decides, and its agent alone is typed into, unasked', async () => {
  two.answer().assistant('It passed.', { cached: 0, fresh: 150_100, out: 0 });
  claim('one', one, { status: 'idle' });
  claim('two', two, { status: 'idle' });
  await editor.page.locator('.terminal-tabs-entry').first().click();
  await editor.statusText(/^60%/);
  await editor.tooltipThat(/one of 2 sessions: runs in the focused terminal/);
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  await arrived('one');
  assert.deepEqual([keys('one'), keys('two')], ['/compact.', '/compact.']);
});

test('an agent that waits for a permission is marked in the item, and nothing is typed into it', async () => {
  claim('one', one, { status: 'waiting', waitingFor: 'permission prompt', updatedAt: now() + 1000 });
  await editor.tooltipThat(/waits for your approval/);
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  await editor.page
    .locator('.notifications-toasts .notification-list-item')
    .filter({ hasText: 'is asking for an approval' })
    .waitFor();
  assert.deepEqual([keys('one'), keys('two')], ['/compact.', '/compact.']);
});
