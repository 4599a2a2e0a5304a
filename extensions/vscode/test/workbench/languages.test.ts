// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;
after(() => editor?.close());

test('in a German editor item, tooltip, panel, prompt files and results are German', async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    settings: { 'ctx.promptFiles.budget.always': 1000 },
    files: {
      'CLAUDE.md': `# Projekt\n\nSiehe @docs/stil.md und @docs/fehlt.md.\n\n## Befehle\n\n${'Vor jedem Commit die Tests ausführen.\n\n'.repeat(4)}`,
      'docs/stil.md': '# Stil\n\nKleine Dateien mit einem Gegenstand, und ganze Sätze.\n\n'.repeat(120),
    },
  });
  // What a language pack sets; the editor's own words stay English without one.
  await editor.page.addInitScript('globalThis._VSCODE_NLS_LANGUAGE = "de"');
  await editor.reload();
  const transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript
    .title('Den Code lesen')
    .requests(30_000, 45_000)
    .user('Bitte lesen.')
    .assistant('Gelesen.', { cached: 40_000, fresh: 20_000, out: 500 });
  await editor.statusText(/^30% · 107k übrig$/, 60_000);
  const tooltip = await editor.tooltipThat(/Den Code lesen/);
  assert.match(tooltip, /wartet (seit .* )?auf Sie/);
  assert.match(tooltip, /etwa \d+ Anfragen bis zur Verdichtung · [\d.]+ bis er bei 167\.000 verdichtet/);
  assert.match(tooltip, /[Tt]ools/);
  await editor
    .command('Show What Fills the Context Window')
    .catch(() => editor.command('Anzeigen, was das Kontextfenster'));
  const panel = editor.webview();
  await panel
    .locator('h1')
    .filter({ hasText: /^etwa \d+ Anfragen bis zur Verdichtung$/i })
    .waitFor();
  await editor.screenshot('panel-german');
  await editor.openFile('CLAUDE.md');
  const lens = editor.page.locator('.codelens-decoration').first();
  await editor.until(
    async () =>
      /^~?[\d.]+k Token in jeder Anfrage \(.+ hier, .+ importiert\) · \S+ von 200k für claude-opus-4-6$/.test(
        await lens.innerText(),
      ),
    'the lens',
  );
  const marker = editor.page.locator('.squiggly-warning').first();
  await marker.waitFor();
  await editor.page
    .locator('.view-line', { hasText: '# Projekt' })
    .first()
    .hover({ position: { x: 20, y: 8 } });
  const hover = editor.page.locator('.monaco-hover:visible').first();
  await editor.until(async () => /Nach Datei/.test(await hover.innerText()), 'the hover');
  const said = await hover.innerText();
  assert.match(said, /Token in jeder Anfrage, davon .+ importiert; das Budget ist 1\.000\. Der schwerste Import ist/);
  assert.match(said, /Token · CLAUDE\.md/);
  assert.match(said, /In jeder Anfrage\./);
  assert.match(said, /des Fensters von claude-\S+ \(200k\) in der Sitzung dieses Arbeitsbereichs\./);
  assert.match(said, /Nach Datei:\s+diese Datei/);
  await editor.screenshot('prompt-file-german');
});
