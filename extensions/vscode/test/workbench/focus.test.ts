// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;
let a: string;
let b: string;

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    settings: { 'terminal.integrated.gpuAcceleration': 'off' }, // its text is part of the page then
  });
  [a, b] = ['a', 'b'].map((name) => {
    const folder = path.join(editor.workspace, name);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, `${name}.txt`), name);
    return folder;
  }) as [string, string];
  const file = path.join(editor.workspace, 'both.code-workspace');
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: 'a' }, { path: 'b' }], settings: {} }));
  await editor.show(file);
});
after(() => editor?.close());

const config = () => path.join(editor.home, '.claude');

test('of several roots the one in front decides', async () => {
  new Transcript(config(), a).user('Hi.').assistant('Hello.', { cached: 0, fresh: 60_000, out: 0 });
  new Transcript(config(), b).user('Hi.').assistant('Hello.', { cached: 0, fresh: 100_000, out: 0 });
  await editor.openFile('a/a.txt');
  await editor.statusText(/^30%/);
  await editor.tooltipThat(/one of 2 sessions: last active in the focused folder/);
  await editor.openFile('b/b.txt');
  await editor.statusText(/^50%/);
  await editor.openFile('a/a.txt');
  await editor.statusText(/^30%/);
});

test('the agent in the terminal in front decides, and its compaction command is typed there, without Enter', async () => {
  // Stands for the agent: a program of its name that says what was typed.
  const agent = path.join(editor.root, 'claude');
  fs.writeFileSync(
    agent,
    `#!/bin/sh\necho the agent is ready\nwhile read -r line; do echo "$line" >> ${path.join(editor.root, 'typed')}; done\n`,
    { mode: 0o755 },
  );
  await editor.command('Terminal: Create New Terminal (In Active Workspace)');
  await editor.inTerminal(`cd ${b} && ${agent}\n`, /the agent is ready/);
  new Transcript(config(), b).user('Hi.').assistant('Hello.', { cached: 0, fresh: 160_000, out: 0 });
  await editor.statusText(/^80%/);
  await editor.tooltipThat(/runs in the focused terminal/);
  await editor.command('Ctx: Type the Agent’s Compaction Command into Its Terminal');
  const typed = path.join(editor.root, 'typed');
  // That it began there after the agent did is an inference, and so the person is asked.
  await editor.page.locator('.quick-input-list .monaco-list-row').first().click();
  await editor.page.locator('.statusbar').filter({ hasText: '/compact was typed' }).waitFor();
  // Enter is the user's to press: what is typed now is on the same line.
  await editor.page.keyboard.type(' now');
  await editor.page.keyboard.press('Enter');
  const lines = () => (fs.existsSync(typed) ? fs.readFileSync(typed, 'utf8') : '');
  await editor.until(async () => lines().endsWith(' now\n'), 'the command to arrive');
  assert.equal(lines(), '/compact now\n');
});

test('back in an editor, its folder decides again', async () => {
  await editor.openFile('a/a.txt');
  await editor.page.keyboard.press('ArrowRight');
  await editor.statusText(/^30%/);
});
