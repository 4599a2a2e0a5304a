// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { editorEach } from '../driver/editor';
import { Transcript } from '../driver/transcript';

const open = editorEach();

test('in a German editor item, tooltip, view and panel are German, and so is what the calculator says', async () => {
  const editor = await open({});
  // What a language pack sets; the editor's own words stay English without one.
  await editor.page.addInitScript('globalThis._VSCODE_NLS_LANGUAGE = "de"');
  await editor.reload();
  const transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript
    .title('Den Code lesen')
    .user('Bitte lesen.')
    .assistant('Gelesen.', { cached: 40_000, fresh: 20_000, out: 500 });
  await editor.statusText(/^ctx 30% · 107k bis zur Verdichtung$/, 60_000);
  const tooltip = await editor.tooltipThat(/Den Code lesen/);
  assert.match(tooltip, /wartet auf Sie · main/);
  assert.match(tooltip, /107k bis zur Verdichtung bei 167k: etwa \d+ Anfragen/);
  assert.match(tooltip, /Eingebaute Werkzeuge, wie in/);
  assert.match(tooltip, /vom Anbieter gemessen/);
  await editor
    .command('Show What Fills the Context Window')
    .catch(() => editor.command('Zeigen, was das Kontextfenster'));
  const panel = editor.webview();
  await panel
    .locator('h1')
    .filter({ hasText: /^Etwa \d+ Anfragen, bis Claude Code verdichtet$/ })
    .waitFor({ timeout: 20_000 });
  await editor.screenshot('panel-german');
});
