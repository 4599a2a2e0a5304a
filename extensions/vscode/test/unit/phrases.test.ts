// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { after, before, test } from 'node:test';
import { said, translated } from '../../src/phrases';
import { reading } from '../reading';
import { l10n } from './vscode';

const german: Record<string, string> = {
  'Tool results': 'Ergebnisse von Werkzeugen',
  'Not in the transcript: {0}': 'Nicht im Protokoll: {0}',
  'Compact the conversation': 'Das Gespräch verdichten',
};
before(() => {
  l10n.bundle = german;
});
after(() => {
  l10n.bundle = undefined;
});

test('what the calculator says in English is shown in the language of the editor, with what stands in it', () => {
  assert.equal(said('Tool results'), 'Ergebnisse von Werkzeugen');
  assert.equal(said('Not in the transcript: Tool results'), 'Nicht im Protokoll: Ergebnisse von Werkzeugen');
  assert.equal(said('My own part (x+y)'), 'My own part (x+y)', 'what an agent has named itself keeps its name');
  const shown = translated(reading());
  assert.equal(shown.breakdown[2]?.label, 'Ergebnisse von Werkzeugen');
  assert.equal(shown.advice[0]?.label, 'Das Gespräch verdichten');
  assert.equal(shown.advice[0]?.how, '/compact', 'a command stays as it is typed');
});

test('every label and every advice of the calculator has a translation', () => {
  const source = ['kind.go', 'advice.go', 'excess.go']
    .map((f) => fs.readFileSync(`../../core/${f}`, 'utf8'))
    .join('\n');
  const labels = /var rowLabels = [^{]*\{([^}]*)\}/.exec(source)?.[1] ?? '';
  const advice = /var adviceFor = [^{]*\{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
  const texts = [
    ...[...labels.matchAll(/"([^"]+)"/g)].map((m) => m[1] as string),
    ...[...advice.matchAll(/(?:Label|How): "([^"]+)"/g)].map((m) => m[1] as string),
  ];
  assert.ok(texts.length > 25, String(texts.length));
  const bundle = JSON.parse(fs.readFileSync('l10n/bundle.l10n.json', 'utf8')) as Record<string, string>;
  assert.deepEqual(
    texts.filter((t) => !(t in bundle)),
    [],
  );
});
