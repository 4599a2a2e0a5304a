// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { place } from '../driver/recorded';
import { must } from '../driver/workbench';

let editor: Editor;
before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

test('a task of Cline is found where this very editor keeps what its extensions store', async () => {
  // These are the records that the core's own tests read: what was sent to the model has a role, what was only shown
  // has none.
  const records = fs
    .readFileSync(path.join(must('CTX_TEST_EXTENSION'), '../../testdata/sessions/cline/task.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { table?: string; role?: string; ts?: number; id?: string });
  const shown = records.filter((r) => r.table === undefined && r.role === undefined);
  assert.ok(shown.length > 0 && records[0]?.table === 'task');
  // The editor runs with a data folder that no list of editors has.
  const storage = path.join(editor.root, 'data/User/globalStorage/saoudrizwan.claude-dev');
  const id = records[0].id ?? ''; // the time of the task's start, in milliseconds
  place(storage, {
    'state/taskHistory.json': JSON.stringify([{ id, cwdOnTaskInitialization: editor.workspace }]),
    [`tasks/${id}/api_conversation_history.json`]: JSON.stringify(records.filter((r) => r.role !== undefined)),
    [`tasks/${id}/ui_messages.json`]: JSON.stringify(shown),
  });
  await editor.statusText(/^~?\d+%/);
  await editor.tooltipThat(/Cline/);
  // What was looked for and found names that folder too.
  await editor.command('Ctx: Agents Found');
  const page = editor.webview();
  await page.getByRole('heading', { name: 'Agents found' }).waitFor();
  const text = await page.locator('body').innerText();
  assert.match(text, /Cline: 1 session/);
  assert.ok(text.includes(storage.slice(0, 40)), text);
});
