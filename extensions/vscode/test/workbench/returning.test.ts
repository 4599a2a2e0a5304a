// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

/**
 * Real sessions of Claude Code whose last request is some time ago: the cost of coming back, and the last compaction.
 * And the agent's settings, explained where they are written.
 */
let editor: Editor;
const minute = 60_000;

function session(config: string, title: string, ago: number): Transcript {
  return new Transcript(config, editor.workspace, undefined, 'claude-opus-4-6', ago * minute)
    .title(title)
    .user('Begin.')
    .assistant('Yes.', { cached: 0, fresh: 3, out: 10, hour: 166_900 })
    .compacted(167_103, 'Nothing was done.')
    .assistant('Done.', { cached: 0, fresh: 3, out: 10, hour: 41_000 });
}

before(async () => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
});
after(() => editor?.close());

test('in the last fifth of the cache the item counts down, and the tooltip shows what follows', async () => {
  session(path.join(editor.home, '.claude'), 'Soon cold', 48);
  await editor.statusText(/^21% · idle · cold in \d+ min$/);
  const tooltip = await editor.tooltipThat(/Cache: cold in \d+ min; then the next prompt rewrites \S+ to the cache/);
  assert.match(tooltip, /Soon cold/);
  await editor.screenshot('returning-soon');
});

test('a cold session shows what the next prompt rewrites; an earlier one shows nothing in the item', async () => {
  session(path.join(editor.home, '.claude'), 'Warm', 20);
  await editor.statusText(/^21% · idle$/);
  await editor.tooltipThat(/Cache: cold in \d+ min; then/);
  await editor.screenshot('returning-warm');
});

test('the panel has the verdict and the forecast', async () => {
  await editor.command('Ctx: Show What Fills the Context Window');
  const frame = editor.webview();
  await frame
    .locator('[data-row=verdict]')
    .filter({
      hasText: 'Compacted automatically at 167,103 tokens, as predicted: the compaction threshold was 167,000.',
    })
    .waitFor();
  await frame.locator('[data-row=back]').filter({ hasText: 'cold in' }).waitFor();
  await editor.screenshot('returning-panel');
});

test('a clamped setting is underlined, and the hover shows the threshold', async () => {
  fs.mkdirSync(path.join(editor.workspace, '.claude'), { recursive: true });
  fs.writeFileSync(
    path.join(editor.workspace, '.claude/settings.json'),
    '{\n  // of this project\n  "é": "😀", "autoCompactWindow": 200\n}\n',
  );
  await editor.openFile('.claude/settings.json');
  await editor.page.locator('.squiggly-warning').first().waitFor();
  await editor.page.locator('.view-line span').filter({ hasText: 'autoCompactWindow' }).last().hover();
  await editor.page
    .locator('.monaco-hover:visible')
    .filter({ hasText: 'Claude Code compacts at 67,000 tokens' })
    .waitFor();
  await editor.screenshot('returning-settings');
});
