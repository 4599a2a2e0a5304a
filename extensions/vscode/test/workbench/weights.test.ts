// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;
let file: string;

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    settings: { 'ctx.promptFiles.budget.always': 20, 'git.enabled': true },
    files: {
      'CLAUDE.md': '# Rules\n\nBe brief.\n\n@docs/missing.md\n',
      'plain.md': 'Nothing.\n',
      'docs/here.md': 'Here.\n',
    },
  });
  new Transcript(path.join(editor.home, '.claude'), editor.workspace).title('Add retries').requests(60_000, 80_000);
  await editor.statusText(/^40%/);
  file = path.join(editor.workspace, 'CLAUDE.md');
});
after(() => editor?.close());

const entry = (name: string) =>
  editor.page
    .locator('.explorer-folders-view .monaco-list-row')
    .filter({ hasText: new RegExp(`^\\s*${name}`) })
    .first();

test('an import that is missing is created by a quick fix', async () => {
  await editor.openFile('CLAUDE.md');
  await editor.page.locator('.squiggly-warning').first().waitFor();
  const menu = editor.page.locator('.action-widget');
  const create = menu.getByText('Create docs/missing.md');
  // An editor that has not received what was found says that there is nothing to do.
  const nothing = editor.page.locator('.monaco-editor-overlaymessage:visible');
  await editor.until(
    async () => {
      for (const key of ['Escape', 'Control+End', 'ArrowUp', 'End', 'ArrowLeft', 'Control+.']) {
        await editor.page.keyboard.press(key);
      }
      await create
        .or(nothing)
        .first()
        .waitFor()
        .catch(() => undefined);
      return create.isVisible();
    },
    'the quick fixes',
    60_000,
  );
  await menu.getByText('Remove this import').waitFor();
  await editor.screenshot('quick-fix');
  // The menu has what is preferred selected; a page of its own keeps the pointer away.
  await editor.page.keyboard.press('Enter');
  await editor.until(async () => fs.existsSync(path.join(editor.workspace, 'docs/missing.md')), 'the file');
});

test('a prompt file over its budget is marked in the Explorer, with the reason', async () => {
  fs.writeFileSync(file, `# Rules\n\n${'Always say what you have done and what you have left undone. '.repeat(20)}\n`);
  editor.settings({ 'ctx.promptFiles.budget.always': 30 });
  const label = entry('CLAUDE.md').locator('.monaco-icon-label');
  await editor.until(
    async () => /the budget is 30/.test((await label.getAttribute('aria-label')) ?? (await label.innerText())),
    'the mark in the Explorer',
    45_000,
  );
  assert.doesNotMatch(
    (await entry('plain.md').locator('.monaco-icon-label').getAttribute('aria-label')) ?? '',
    /budget/,
  );
});

test('source control shows what a change adds to every request', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: editor.workspace });
  fs.writeFileSync(file, '# Rules\n\nBe brief.\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  fs.appendFileSync(file, `\n${'Always say what you have done. '.repeat(40)}\n`);
  const item = editor.page.locator('.statusbar-item[id="ctx-lsp.ctx-lsp.ctx.change"]');
  await editor.until(
    async () => /^\+\d{3} tokens in every request$/.test((await item.innerText().catch(() => '')).trim()),
    'what the change adds',
    60_000,
  );
  await editor.screenshot('change');
});

test('source control asks whether a diff fits, and counts the change and not the whole file', async () => {
  const long = path.join(editor.workspace, 'plain.md');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: editor.workspace });
  fs.writeFileSync(long, 'A line of a long file, of which one line changes.\n'.repeat(2000));
  git('add', '.');
  git('commit', '-qm', 'y');
  fs.appendFileSync(long, 'One more line.\n');
  await editor.command('Source Control: Focus on Changes View');
  const row = editor.page.locator('.scm-view .monaco-list-row').filter({ hasText: 'plain.md' });
  await row.waitFor({ timeout: 60_000 });
  await row.click({ button: 'right' });
  await editor.choose('Will It Fit?');
  const toast = editor.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: 'Add retries' });
  await toast.waitFor();
  const [, tokens] = /: ~?(\d+) →/.exec((await toast.innerText()).replaceAll('\u00a0', ' ')) ?? [];
  assert.ok(Number(tokens) > 5 && Number(tokens) < 500, await toast.innerText());
});
