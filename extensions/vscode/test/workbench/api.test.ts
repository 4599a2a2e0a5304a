// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must, patience } from '../driver/workbench';

let editor: Editor;
/** Older editors have no chat without a sign-in, and start no servers of extensions. */
const newest = process.env.CTX_TEST_NODE !== undefined;
before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    extraVsix: [must('CTX_TEST_EXAMPLE_VSIX')],
    settings: newest ? { 'chat.disableAIFeatures': false } : {},
  });
});
after(() => editor?.close());

test('a streamed answer of another extension is measured, and shown in the item', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 51040 measured$/);
  await editor.statusText('26% · 109k left');
  await editor.tooltipThat(/Example chat — claude-opus-4-6[\s\S]*26% · 51k of 200k[\s\S]*it compacts at 160,000/);
});

test('other extensions read the sessions, and models have tools for the focused one', async () => {
  await editor.command('Example Chat: Ask About Itself');
  await editor.chat(/^chat: 1 own \| ctx_fits ctx_window \| Example chat.*: 109k tokens until it compacts/);
});

test('a second turn replaces the first measurement', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 52040 measured$/);
});

test('an overflow teaches the limit, a compaction empties the window', async () => {
  await editor.command('Example Chat: Send Too Much');
  await editor.statusText(/^[~\d]/);
  await editor.command('Example Chat: Compact');
  await editor.chat(/^chat: \d{1,5} .*estimated$/);
  await editor.statusText(/^~\d+%/);
});

test('a mistake is refused with its kind, and the session is as it was', async () => {
  const before = await editor.textNow();
  await editor.command('Example Chat: Make a Mistake');
  await editor.chat(/^chat: refused invalid_params$/);
  assert.equal(await editor.textNow(), before);
});

test('a daemon that is killed does not lose the conversation', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 53040 measured$/);
  const [pid] = editor.daemons();
  assert.ok(pid !== undefined);
  process.kill(pid, 'SIGKILL');
  await editor.until(async () => editor.daemons().length === 1 && !editor.daemons().includes(pid), 'another daemon');
  await editor.statusText(/^27%/);
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 54040 measured$/);
  await editor.command('Ctx: Show What Fills the Context Window');
  const numbers = editor.webview().locator('#numbers');
  await numbers.locator('summary').click();
  const spent = numbers.locator('[data-row=spent]');
  await spent.waitFor();
  assert.match(await spent.innerText(), /requests: [45]$/);
});

test('a closed session leaves the item, which says that there is none', async () => {
  await editor.command('Example Chat: Close');
  await editor.statusText('ctx: no session');
  await editor.tooltipThat(/No agent has been active in this workspace yet[\s\S]*Hide this/);
});

test('of ten sessions that were opened, filled and closed at once none comes back', async () => {
  await editor.command('Example Chat: Open and Close Ten');
  await editor.chat(/^chat: ten closed$/);
  const rows = editor.page.locator('.quick-input-list .monaco-list-row');
  // The list closes if a busy workbench moves the focus: it is opened again until it shows the row.
  const lists = (row: string): Promise<void> =>
    editor.until(
      async () => {
        await editor.command('Ctx: Pick a Session…');
        return rows
          .filter({ hasText: row })
          .waitFor({ timeout: patience(10_000) })
          .then(
            () => true,
            () => false,
          );
      },
      `a list with ${row}`,
      90_000,
    );
  await lists('No agent has been active in this workspace yet');
  assert.equal(await editor.textNow(), 'ctx: no session');
  await editor.page.keyboard.press('Escape');
  // A session that begins later is shown, alone: what was still on its way of the ten has arrived before it.
  new Transcript(path.join(editor.home, '.claude'), editor.workspace)
    .title('Fix the retry logic')
    .requests(30_000, 45_000)
    .user('Please fix it.')
    .assistant('It is fixed.', { cached: 40_000, fresh: 20_000, out: 500 });
  await editor.statusText(/^30%/);
  await lists('Fix the retry logic');
  assert.equal(await rows.filter({ hasText: 'Short chat' }).count(), 0);
  await editor.page.keyboard.press('Escape');
});

const skip = newest ? false : 'there is no chat without a sign-in, and no server of an extension';
test('@ctx answers in the chat of the editor, and the editor starts our MCP server', { skip }, async () => {
  await editor.command('Example Chat: Ask the MCP Server');
  await editor.chat(/^chat: 6 tools \| 30% 60\.5k of 200k tokens, claude-opus-4-6/);
  await editor.command('Example Chat: Ask in the Chat of the Editor');
  const answer = editor.page.locator('.interactive-response').last();
  await editor.until(
    async () => (await answer.count()) > 0 && /Used: 60,500 of 200,000 tokens \(30%\)/.test(await answer.innerText()),
    'the answer of @ctx',
    90_000,
  );
  assert.match(await answer.innerText(), /Fix the retry logic — Claude Code: About \d+ requests until it compacts/);
});
