// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { nodeOfEditor } from '../driver/installed';
import { place } from '../driver/recorded';
import { must } from '../driver/workbench';

// A session that VS Code's Agent Host ran, as it wrote it; see testdata/hosts. Only editors that know the Agents window
// run this file.
const agentsOwn = 'c3f65c5c-26a0-459a-bf96-2f4620f0c767';
const hostsOwn = '11111111-2222-4333-8444-555555555555';
const host = 'VS Code Agent Host';

let editor: Editor;

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

const recorded = (name: string): string =>
  fs
    .readFileSync(path.join(must('CTX_TEST_EXTENSION'), '../../testdata/hosts/vscode', name), 'utf8')
    .replaceAll('/w/shop.worktrees/read-the-list', editor.workspace)
    .replaceAll('/w/shop', editor.workspace);

/** Makes a database of the dump of one, with the Node.js of the editor, which has SQLite. */
function makeDatabase(file: string, dump: string): void {
  const script = `const { DatabaseSync } = require('node:sqlite');
    new DatabaseSync(process.argv[1]).exec(require('node:fs').readFileSync(0, 'utf8'));`;
  execFileSync(nodeOfEditor(), ['-e', script, file], { input: dump });
}

test('a session of the Agent Host is in its folder, and item and view show where it runs', async () => {
  const store = 'data/agentSessionData'; // the editor itself says where its data is
  const write = (file: string, text: string): void =>
    file.endsWith('.db') ? makeDatabase(file, text) : fs.writeFileSync(file, text);
  place(
    editor.root,
    {
      [`${store}/${agentsOwn}/session.db`]: recorded('backing.sql'),
      [`${store}/${hostsOwn}/session.db`]: recorded('session.sql'),
      [`home/.copilot/session-state/${agentsOwn}/events.jsonl`]: recorded('events.jsonl'),
    },
    { write },
  );
  await editor.command('Ctx: Show Sessions and What Fills Them');
  // A row has a name and a number; where the session runs is in its hover, which a screen reader reads.
  const row = await editor.row(`in ${host}`);
  assert.match((await row.getAttribute('aria-label')) ?? '', /17% · 22k \/ 128k/);
  const tooltip = await editor.tooltip();
  assert.match(tooltip, /Copilot CLI · lab-chat · .*in VS Code Agent Host/);
  assert.match(tooltip, /22k of 128k/);
  assert.match(tooltip, /Copilot CLI itself counts 11k: System prompt 4\.6k, Tools 6\.2k, Messages 120/);
  await editor.screenshot('agent-host');
  // The tooltip is where the offer will be.
  await editor.page.mouse.move(700, 200);
  await editor.until(
    async () => (await editor.page.locator('.context-view:visible .hover-contents').count()) === 0,
    'the tooltip to close',
  );
});

test('the Agents window is offered once, its setting is shown, and a yes changes that setting only', async () => {
  const settings = path.join(editor.root, 'data', 'User', 'settings.json');
  // It is written in two steps, and the newest editor gives a setting of its own another form meanwhile.
  const now = (): object => ({
    ...(JSON.parse(fs.readFileSync(settings, 'utf8') || '{}') as object),
    'extensions.autoUpdate': undefined,
  });
  const before = now();
  const toast = editor.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: host });
  await toast.getByText('Show the Setting…').click();
  const dialog = editor.page.locator('.monaco-dialog-box');
  await dialog.getByText('"extensions.supportAgentsWindow": {"ctx-lsp.ctx-lsp":true}').waitFor();
  await editor.screenshot('agents-window');
  await dialog.getByText('Change the Setting').click();
  await editor.until(() => Promise.resolve('extensions.supportAgentsWindow' in now()), 'the setting to be written');
  assert.deepEqual(now(), { ...before, 'extensions.supportAgentsWindow': { 'ctx-lsp.ctx-lsp': true } });
  await editor.command('Ctx: Allow in the Agents Window…');
  await editor.page.getByText('already allowed in the Agents window').first().waitFor();
});
