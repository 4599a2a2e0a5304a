import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebEditor } from '../driver/web';

let editor: WebEditor;
before(async () => {
  editor = await WebEditor.open({ 'AGENTS.md': '# Rules\n\nWrite tests first.\n\n## Style\n\nShort sentences.\n', 'readme.txt': 'Nothing.\n' });
});
after(() => editor?.close());

test('nothing is wrong, and the item is hidden while nobody tells a session', async () => {
  await editor.page.waitForTimeout(4000);
  await editor.screenshot('web-zz');
  assert.equal(await editor.textNow(), '');
});

test('the API works, and shows the same status as with the daemon', async () => {
  await editor.command('Example Chat: Send a Message');
  await editor.chat(/^chat: 51040 measured$/);
  await editor.statusText('ctx 26% · 109k to compact');
  await editor.screenshot('web-status');
});

test('prompt files have their sizes', async () => {
  await editor.openFile('AGENTS.md');
  await editor.page.waitForTimeout(8000);
  await editor.screenshot('web-promptfile');
  await editor.command('Ctx: Show Logs');
  await editor.page.waitForTimeout(2000);
  await editor.screenshot('web-log');
  console.log(await editor.page.locator('.codelens-decoration').first().innerText());
});
