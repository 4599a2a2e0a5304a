// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { drawn } from '../driver/prompts';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;

const rules = `# Rules\n\n${'Say what you have done, what you have left undone, and why. '.repeat(20)}\n`;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX'), files: { 'CLAUDE.md': rules } });
  const config = path.join(editor.home, '.claude');
  const session = (title: string, model: string, ago: number): Transcript =>
    new Transcript(config, editor.workspace, undefined, model, ago).title(title).requests(60_000);
  session('The large one', 'claude-opus-5', 60_000);
  session('The small one', 'claude-opus-4-6', 0);
  await editor.statusText(/^30% /);
});
after(() => editor?.close());

/** Waits until the line above the file, and the editor's language status, have the model; returns its tokens. */
async function priced(window: string, model: string): Promise<string> {
  const count = editor.page.locator('.hover-language-status:visible').filter({ hasText: 'tokens in this file' });
  let seen = '';
  await editor.until(
    async () => {
      const { lens } = await drawn(editor).catch(() => ({ lens: '' }));
      await editor.page.locator('.statusbar-item[id="status.languageStatus"]').hover();
      const file = (await count.innerText().catch(() => '')).replace(/\s+/g, ' ');
      seen = `${lens} | ${file}`;
      const [, tokens = '-'] = /^(\S+) tokens/.exec(lens) ?? [];
      return lens.endsWith(` of ${window} for ${model}`) && file.includes(`for ${model}`) && file.includes(tokens);
    },
    () => `one number for ${model} in a window of ${window}; seen is ${seen}`,
    60_000,
  );
  return seen.split(' ', 1)[0] as string;
}

test('a file has one price: that of the session in front, of one that was picked, and without a daemon', async () => {
  await editor.openFile('CLAUDE.md');
  const small = await priced('200k', 'claude-opus-4-6');
  await editor.command('Ctx: Pick a Session…');
  await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'The large one' }).click();
  await editor.statusText(/^6% /);
  const large = await priced('1M', 'claude-opus-5');
  assert.notEqual(large, small, 'the two models count differently');

  // Without a daemon the extension itself counts.
  editor.machineSettings({ 'ctx.server.path': '/no/such/ctx-lsp' });
  await editor.statusText('ctx: no daemon');
  assert.equal(await priced('1M', 'claude-opus-5'), large);
});
