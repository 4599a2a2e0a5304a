// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Editor, editorEach, standin } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';
import { reading } from '../reading';

const open = editorEach();

/** Checks until it holds: the log is written, and a probe of the daemon ends, a moment after the screen has changed. */
async function soon(check: () => void): Promise<void> {
  for (const end = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 100))) {
    try {
      return check();
    } catch (e) {
      if (Date.now() > end) {
        throw e;
      }
    }
  }
}

describe('the daemon of the package', () => {
  let e: Editor;
  let transcript: Transcript;
  before(async () => {
    e = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
    transcript = new Transcript(path.join(e.home, '.claude'), e.workspace)
      .user('Hi.')
      .assistant('Hello.', { cached: 0, fresh: 60_000, out: 500 });
    await e.statusText('ctx 30% · 107k to compact');
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
      /^\s*ctx 30%[^;]*; .*These numbers are old: the daemon does not answer now/,
    );
    await e.until(async () => e.daemons().length === 1 && !e.daemons().includes(pid), 'another daemon');
    transcript.user('More.').assistant('Yes.', { cached: 60_000, fresh: 20_000, out: 500 });
    await e.statusText('ctx 40% · 86.5k to compact');
    assert.equal(await e.statusItem.locator('.codicon-history').count(), 0);
    assert.match(e.log(), /\[warning\] The daemon ended by itself\./);
    assert.doesNotMatch(e.log(), /\[error\]|will not be restarted/, 'it is started again, and that is no error');
    await e.command('Ctx: Copy Diagnostics');
    await e.until(async () => (await e.clipboard()).includes('ctx.vscode-diagnostics/1'), 'the diagnostics');
    const report = await e.clipboard();
    assert.match(report, /The daemon ended by itself/);
    assert.ok(!report.includes(e.root), report);
  });

  test('all windows share one daemon', async () => {
    const second = await e.anotherWindow();
    await second.statusText('ctx 40% · 86.5k to compact');
    assert.equal(e.daemons().length, 1);
  });

  test('a workspace that disappears leaves the editor and the item alive', async () => {
    fs.rmSync(e.workspace, { recursive: true });
    await e.page.waitForTimeout(2000);
    await e.statusText('ctx 40% · 86.5k to compact');
    await e.command('Ctx: Show Logs');
    assert.equal(e.daemons().length, 1);
  });
});

// Each of them is given some time before it is given up, and so they are waited for together.
describe('daemons that do not start', () => {
  let crashing: Editor;
  let silent: Editor;
  before(async () => {
    silent = await Editor.open({ vsix: must('CTX_TEST_VSIX'), env: standin({ CTX_STANDIN_MODE: 'silent' }) });
    crashing = await Editor.open({ vsix: must('CTX_TEST_VSIX'), env: standin({ CTX_STANDIN_MODE: 'crash' }) });
  });
  after(async () => {
    await silent?.close();
    await crashing?.close();
  });

  test('a daemon that crashes in a loop is left alone after a few tries', async () => {
    await crashing.statusText('ctx: daemon crashed', 120_000);
    assert.match(crashing.log(), /\[error\] The daemon ended while it started/);
  });

  test('a daemon that says nothing is given up', async () => {
    await silent.statusText('ctx: daemon silent', 120_000);
    assert.match(silent.log(), /did not answer “initialize” within 10000 ms/);
  });
});

test('two hundred sessions are listed, and the workbench stays quick while all of them change', async (t) => {
  const file = path.join(fs.mkdtempSync('/tmp/ctx-standin-'), 'sessions.json');
  const write = (used: number, workspace: string): void => {
    const sessions = Array.from({ length: 200 }, (_, i) =>
      reading({
        session: `s${i}`,
        label: `Session ${i}`,
        workspace,
        percent: i / 2,
        asOf: Date.now() + i,
        display: { ...reading().display, percent: `${i}%`, used: `${used}k` },
        lines: { status: `ctx ${used}k / 200k` },
      }),
    );
    fs.writeFileSync(`${file}.new`, JSON.stringify({ sessions }));
    fs.renameSync(`${file}.new`, file);
  };
  write(1, '/elsewhere');
  const e = await open({ env: standin({ CTX_STANDIN: file }), settings: { 'ctx.statusItem.format': 'tokens' } });
  write(2, e.workspace);
  await e.statusText('ctx 2k / 200k');
  await e.statusItem.click();
  const rows = e.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  assert.match(await rows.first().innerText(), /Session 199/);
  await e.page.keyboard.press('Escape');
  for (let i = 3; i < 30; i++) {
    write(i, e.workspace);
    await e.page.waitForTimeout(100);
  }
  const began = Date.now();
  await e.statusText('ctx 29k / 200k', 3000);
  t.diagnostic(`settled in ${Date.now() - began} ms`);
});

test('settings of the wrong type are named, and the numbers still come', async () => {
  const e = await open({ settings: { 'ctx.statusItem.format': 7, 'ctx.followFocus': 'yes' } });
  await e.statusText('ctx: bad setting');
  await soon(() =>
    assert.match(
      e.log(),
      /\[warning\] The setting ctx\.followFocus is "yes" but must be true or false; true is used\./,
    ),
  );
  new Transcript(path.join(e.home, '.claude'), e.workspace)
    .user('Hi.')
    .assistant('Hello.', { cached: 0, fresh: 60_000, out: 500 });
  await e.statusText('ctx 30% · 107k to compact');
  assert.match(await e.tooltip(), /The setting ctx\.statusItem\.format is 7/);
});

test('in Restricted Mode sizes are shown, and the workspace chooses no program', async () => {
  const e = await open({ trust: true });
  await e.page.locator('.statusbar-item[id="status.workspaceTrust"]').waitFor();
  fs.mkdirSync(path.join(e.workspace, '.vscode'));
  fs.writeFileSync(
    path.join(e.workspace, '.vscode/settings.json'),
    JSON.stringify({ 'ctx.server.path': '/no/such/ctx-lsp', 'ctx.server.extraEnv': { CLAUDE_CONFIG_DIR: '/nowhere' } }),
  );
  new Transcript(path.join(e.home, '.claude'), e.workspace)
    .user('Hi.')
    .assistant('Hello.', { cached: 0, fresh: 160_000, out: 500 });
  await e.statusText(/^ctx 80%/);
  await soon(() => assert.equal(e.daemons().length, 1));
  await e.screenshot('restricted');
  await e.page.keyboard.press('F1');
  const input = e.page.locator('.quick-input-widget:visible input.input');
  await input.fill('>Ctx: Run the Agent');
  await e.page.waitForTimeout(500);
  assert.equal(
    await e.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'Run the Agent’s Compaction' })
      .count(),
    0,
  );
});
