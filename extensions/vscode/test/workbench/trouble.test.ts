// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before, describe } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

describe('the daemon of the package', () => {
  let e: Editor;
  let transcript: Transcript;
  before(async () => {
    e = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
    transcript = new Transcript(path.join(e.home, '.claude'), e.workspace)
      .user('Hi.')
      .assistant('Hello.', { cached: 0, fresh: 60_000, out: 500 });
    await e.statusText('30% · 107k left');
  });
  after(() => e?.close());

  test('a daemon that is killed comes back, and the item with it', async () => {
    const [pid, ...others] = e.daemons();
    assert.ok(pid !== undefined && others.length === 0, 'one daemon runs');
    // The old number is marked until the next daemon answers.
    const marked = e.page.waitForFunction(`(() => {
      const link = document.querySelector('.statusbar-item[id="ctx-lsp.ctx-lsp.ctx.status"] a');
      return link?.querySelector('.codicon-history') && link.innerText + '; ' + link.getAttribute('aria-label');
    })()`);
    process.kill(pid, 'SIGKILL');
    assert.match(
      String(await (await marked).jsonValue()),
      /^\s*30%[^;]*; .*These numbers are old: the daemon is not responding/,
    );
    await e.until(async () => e.daemons().length === 1 && !e.daemons().includes(pid), 'another daemon');
    transcript.user('More.').assistant('Yes.', { cached: 60_000, fresh: 20_000, out: 500 });
    await e.statusText('40% · 86.5k left');
    assert.equal(await e.statusItem.locator('.codicon-history').count(), 0);
    await e.logged(/\[warning\] The daemon ended unexpectedly\./);
    assert.doesNotMatch(e.log(), /\[error\]|will not be restarted/, 'it is started again, and that is no error');
    await e.command('Ctx: Copy Diagnostics');
    await e.until(async () => (await e.clipboard()).includes('ctx.vscode-diagnostics/1'), 'the diagnostics');
    const report = await e.clipboard();
    assert.match(report, /The daemon ended unexpectedly/);
    assert.ok(!report.includes(e.root), report);
  });

  test('all windows share one daemon', async () => {
    const second = await e.anotherWindow();
    await second.statusText('40% · 86.5k left');
    assert.equal(e.daemons().length, 1);
  });

  test('a workspace that disappears leaves the editor and the item alive', async () => {
    fs.rmSync(e.workspace, { recursive: true });
    transcript.user('And more.').assistant('Yes.', { cached: 60_000, fresh: 30_000, out: 500 });
    await e.statusText('45% · 76.5k left');
    await e.command('Ctx: Show Logs');
    assert.equal(e.daemons().length, 1);
  });
});

describe('Restricted Mode, and settings of the wrong type', () => {
  let e: Editor;
  before(async () => {
    e = await Editor.open({
      vsix: must('CTX_TEST_VSIX'),
      trust: true,
      settings: { 'ctx.statusItem.format': 7, 'ctx.followFocus': 'yes' },
    });
  });
  after(() => e?.close());

  test('settings of the wrong type are named, and the numbers still come', async () => {
    await e.statusText('ctx: bad setting');
    await e.logged(/\[warning\] The setting ctx\.followFocus is "yes" but must be true or false; true is used\./);
    new Transcript(path.join(e.home, '.claude'), e.workspace)
      .user('Hi.')
      .assistant('Hello.', { cached: 0, fresh: 60_000, out: 500 });
    await e.statusText('30% · 107k left');
    await e.tooltipThat(/The setting ctx\.statusItem\.format is 7/);
  });

  test('in Restricted Mode sizes are shown, and the workspace chooses no program', async () => {
    await e.page.locator('.statusbar-item[id="status.workspaceTrust"]').waitFor();
    fs.mkdirSync(path.join(e.workspace, '.vscode'));
    fs.writeFileSync(
      path.join(e.workspace, '.vscode/settings.json'),
      JSON.stringify({
        'ctx.server.path': '/no/such/ctx-lsp',
        'ctx.server.extraEnv': { CLAUDE_CONFIG_DIR: '/nowhere' },
      }),
    );
    new Transcript(path.join(e.home, '.claude'), e.workspace)
      .user('Hi.')
      .assistant('Hello.', { cached: 0, fresh: 160_000, out: 500 });
    await e.statusText(/^80%/);
    await e.until(async () => e.daemons().length === 1, 'one daemon to be left');
    await e.screenshot('restricted');
    assert.equal(await e.hasCommand('Ctx: Type the Agent’s Compaction Command into Its Terminal'), false);
    assert.equal(await e.hasCommand('Ctx: Copy Facts for a Handover'), true);
  });
});
