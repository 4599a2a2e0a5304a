// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { now } from '../driver/recorded';
import { must } from '../driver/workbench';
import { reading } from '../reading';

// One editor, whose daemon is another one in each case: a change of its settings starts the new one.
let e: Editor;
const daemon = (env: Record<string, string>): void =>
  e.machineSettings({ 'ctx.server.path': must('CTX_TEST_STANDIN'), 'ctx.server.extraEnv': env });
before(async () => {
  e = await Editor.open({ vsix: must('CTX_TEST_VSIX'), settings: { 'ctx.statusItem.format': 'tokens' } });
});
after(() => e?.close());

test('a path that leads nowhere: two words on the item, the sentence in tooltip and log', async () => {
  e.machineSettings({ 'ctx.server.path': '/no/such/ctx-lsp' });
  await e.statusText('ctx: no daemon');
  await e.tooltipThat(/\/no\/such\/ctx-lsp \(from the setting\) does not exist\. Correct the path/);
  await e.logged(/\/no\/such\/ctx-lsp \(from the setting\) does not exist/);
  await e.screenshot('trouble');
});

test('a daemon of another version is not used', async () => {
  daemon({ CTX_STANDIN_VERSION: '{"schema":"ctx.version/1","version":"0","reading":"ctx.reading/0"}' });
  await e.statusText('ctx: wrong version');
  await e.logged(/uses ctx\.version\/1, ctx\.reading\/0, but this extension requires ctx\.version\/1, ctx\.reading\/3/);
});

test('two hundred sessions are listed, and the workbench stays quick while all of them change', async (t) => {
  const file = path.join(e.root, 'sessions.json');
  const sent = (): number => (fs.existsSync(`${file}.sent`) ? Number(fs.readFileSync(`${file}.sent`, 'utf8')) : 0);
  const write = (used: number, workspace: string): void => {
    const sessions = Array.from({ length: 200 }, (_, i) =>
      reading({
        session: `s${i}`,
        label: `Session ${i}`,
        workspace,
        percent: i / 2,
        asOf: now() + i,
        display: { ...reading().display, percent: `${i}%`, used: `${used}k` },
        lines: { status: `${used}k / 200k` },
      }),
    );
    fs.writeFileSync(`${file}.new`, JSON.stringify({ sessions }));
    fs.renameSync(`${file}.new`, file);
  };
  write(2, e.workspace);
  daemon({ CTX_STANDIN: file });
  await e.statusText('2k / 200k');
  await e.statusItem.click();
  const rows = e.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  assert.match(await rows.first().innerText(), /Session 199/);
  await e.page.keyboard.press('Escape');
  for (let i = 3; i < 30; i++) {
    const before = sent();
    write(i, e.workspace);
    await e.until(async () => sent() > before, 'the stand-in to send the sessions');
  }
  const began = Date.now();
  await e.statusText('29k / 200k', 3000);
  t.diagnostic(`settled in ${Date.now() - began} ms`);
});

test('a daemon that sends nothing is given up', async () => {
  daemon({ CTX_STANDIN_MODE: 'silent' });
  await e.statusText('ctx: daemon silent', 120_000);
  await e.logged(/did not respond to “initialize” within 10000 ms/);
});

test('a daemon that crashes in a loop is left alone after a few tries', async () => {
  daemon({ CTX_STANDIN_MODE: 'crash' });
  await e.statusText('ctx: daemon crashed', 120_000);
  await e.logged(/\[error\] The daemon ended while it started/);
});
