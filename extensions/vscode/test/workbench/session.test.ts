import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { Transcript } from '../transcript';
import { Editor, must } from './editor';

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
  console.log(await editor.statusText(/^ctx \d+% · [\d.]+k to compact$/));
  console.log(await editor.tooltip());
  await editor.screenshot('status-tooltip');
});

test('x', async () => {
  for (const [fresh, level] of [[90_000, 'none'], [112_000, 'warning'], [126_500, 'error'], [131_000, 'error']] as const) {
    transcript.user('Go on.').assistant('Done.', { cached: 40_000, fresh, out: 300 });
    await editor.page.waitForTimeout(1500);
    console.log(fresh, level, await editor.textNow(), await editor.statusKind());
  }
  transcript.compacted(171_000, 'This session is being continued from a previous conversation. '.repeat(50));
  await editor.page.waitForTimeout(1500);
  console.log(await editor.textNow(), await editor.statusKind());
  transcript.user('Next.').assistant('Yes.', { cached: 20_000, fresh: 9_000, out: 100 });
  await editor.page.waitForTimeout(1500);
  console.log(await editor.textNow(), await editor.statusKind());
  console.log(editor.log());
});
