// Copyright The ctx-lsp authors. MIT licence.

import { after, before, describe } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { must } from '../driver/workbench';
import { promptFiles } from '../promptFile';

describe('the universal package', () => {
  let e: Editor;
  before(async () => {
    e = await Editor.open({
      vsix: must('CTX_TEST_UNIVERSAL_VSIX'),
      extraVsix: [must('CTX_TEST_EXAMPLE_VSIX')],
      env: { PATH: '/usr/bin:/bin' },
      files: promptFiles,
    });
  });
  after(() => e?.close());

  test('a user who wants prompt files only is not asked again', async () => {
    await e.statusText('ctx: no daemon');
    await e.command('Ctx: Count Prompt Files Only');
    await e.statusText('', 15_000);
    await e.command('Ctx: Show What Fills the Context Window');
    await e.webview().locator('.absence').filter({ hasText: 'because ctx.server.enabled is off' }).waitFor();
    await e.webview().locator('button').filter({ hasText: 'Follow Sessions Again' }).click();
    await e.statusText('ctx: no daemon', 30_000);
  });

  test('the universal package without a daemon reports that, and still counts', async () => {
    await e.statusItem.click();
    const rows = e.page.locator('.quick-input-list .monaco-list-row');
    for (const text of [
      'The ctx-lsp program was found neither',
      'Install the Package for This Platform',
      'Choose the ctx-lsp Program…',
      'Prompt Files Only: Hide This',
    ]) {
      await rows.filter({ hasText: text }).waitFor();
    }
    await e.screenshot('no-daemon-list');
    await e.page.keyboard.press('Escape');
    await e.command('Ctx: Show What Fills the Context Window');
    await e.webview().locator('.absence').filter({ hasText: 'The ctx-lsp program was found neither' }).waitFor();
    await e.webview().locator('button').filter({ hasText: 'Install the Package for This Platform' }).waitFor();
    await e.screenshot('no-daemon-panel');
    await e.command('Ctx: Restart the Daemon');
    await e.statusText('ctx: no daemon', 30_000);
    await e.command('Example Chat: Send a Message');
    await e.chat(/^chat: \d+ measured/);
    await e.statusText(/^~?\d+% · [\d.]+k left$/);
    await e.tooltipThat(/The ctx-lsp program was found neither/);
    // The lens divides by the window of the session that is shown, as the item does.
    await e.openFile('CLAUDE.md');
    const lens = e.page.locator('.editor-instance .codelens-decoration').filter({ hasText: 'of 200k' });
    await lens.first().waitFor();
  });
});
