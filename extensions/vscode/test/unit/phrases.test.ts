// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inWords, learnPhrases, translateAnswer, translated, words } from '../../src/phrases';
import { phrases } from '../../src/phrases.gen';
import { reading } from '../reading';
import { env, l10n } from './vscode';

const german: Record<string, string> = {
  'Tool results': 'Ergebnisse von Werkzeugen',
  'Not in the transcript: {0}': 'Nicht im Protokoll: {0}',
  'Compact the conversation': 'Das Gespräch verdichten',
  'the window minus the space for the response': 'das Fenster ohne den Platz für die Antwort',
  'is read as {0}': 'wird als {0} gelesen',
  'Estimated rows were scaled to {0}% to fit the measured total.': 'Auf {0} % gestaucht.',
};
before(async () => {
  l10n.bundle = german;
  await learnPhrases();
});
after(() => {
  l10n.bundle = undefined;
});

test('English texts of the core are shown in the language of the editor, by their id, with their values', () => {
  assert.equal(inWords({ id: 'toolResults' }, 'Tool results'), 'Ergebnisse von Werkzeugen');
  const unseen = { id: 'unseen', args: [{ id: 'toolResults' }] };
  assert.equal(inWords(unseen, 'Not in the transcript: Tool results'), 'Nicht im Protokoll: Ergebnisse von Werkzeugen');
  assert.equal(inWords(undefined, 'My own part (x+y)'), 'My own part (x+y)', 'what an agent has named keeps its name');
  assert.equal(inWords({ id: 'ofTomorrow' }, 'Said by a newer daemon'), 'Said by a newer daemon');
  const shown = translated(
    reading({
      breakdown: [
        {
          kind: 'toolResults',
          label: { text: 'Tool results', id: 'toolResults' },
          tokens: 1,
          share: null,
          bar: 0,
          basis: 'counted',
        },
        { kind: 'tools', label: { text: 'Tool results' }, tokens: 1, share: null, bar: 0, basis: 'counted' },
        {
          kind: 'unattributed',
          label: { text: 'Not in the transcript: Tool results', ...unseen },
          tokens: 1,
          share: null,
          bar: 0,
          basis: 'counted',
        },
      ],
      advice: [
        {
          action: 'compact',
          label: { text: 'Compact the conversation', id: 'compact' },
          tokens: 1,
          basis: 'estimated',
          atMost: false,
          items: 1,
          how: { text: '/compact' },
          breaksCache: true,
        },
      ],
      warnings: [
        { text: 'of somebody else' },
        { text: 'Estimated rows were scaled to 93% to fit the measured total.', id: 'scaled', args: [93] },
      ],
    }),
  );
  assert.deepEqual(
    shown.breakdown.map((row) => row.label.text),
    ['Ergebnisse von Werkzeugen', 'Tool results', 'Nicht im Protokoll: Ergebnisse von Werkzeugen'],
    'by the phrase; as somebody else has called it; by a phrase with values',
  );
  assert.equal(shown.advice[0]?.label.text, 'Das Gespräch verdichten');
  assert.equal(shown.advice[0]?.how?.text, '/compact', 'a command stays as it is typed');
  assert.deepEqual(
    shown.warnings.map(({ text }) => text),
    ['of somebody else', 'Auf 93 % gestaucht.'],
  );
});

test('a text of the backend is translated by its phrase, and one of others stays', () => {
  assert.equal(words({ text: 'is read as 200', id: 'settingReadAs', args: [200] }), 'wird als 200 gelesen');
  assert.equal(
    words({ text: 'the window minus the space for the response', id: 'sourceLimit' }),
    'das Fenster ohne den Platz für die Antwort',
  );
  assert.equal(words({ text: 'WINDOW' }), 'WINDOW');
  assert.equal(words(undefined), '');
});

test('an answer about a prompt file is shown in the language of the editor, from the inside out', () => {
  l10n.bundle = {
    '{0} tokens in every request; the budget is {1}.': '{0} Token in jeder Anfrage; das Budget ist {1}.',
    '{0} The heaviest import is {1} with {2}.': '{0} Der schwerste Import ist {1} mit {2}.',
  };
  env.language = 'de';
  const about = { id: 'approximately', args: [12345] };
  const inner = { id: 'overAlways', args: [about, 10000] };
  const phrase = { id: 'heaviestImport', args: [inner, 'docs/a,b.md', 9000] };
  const answer = {
    items: [{ message: 'English', phrase, relatedInformation: [{ message: 'the same text' }] }],
    contents: { kind: 'markdown', value: '**12,345**' },
    phrase: { id: 'sequence', args: ['**', inner, '** · System prompt'] },
  };
  translateAnswer(answer);
  assert.equal(
    answer.items[0]?.message,
    '~12.345 Token in jeder Anfrage; das Budget ist 10.000. Der schwerste Import ist docs/a,b.md mit 9.000.',
  );
  assert.equal(answer.contents.value, '**~12.345 Token in jeder Anfrage; das Budget ist 10.000.** · System prompt');
  assert.equal(answer.items[0]?.relatedInformation[0]?.message, 'the same text', 'a text without a phrase stays');
  env.language = 'en';
  l10n.bundle = german;
});

test('a name that reads like a phrase stays as it is', () => {
  l10n.bundle = new Proxy({}, { get: (_, key) => `[${String(key)}]`, has: () => true });
  for (const id of Object.keys(phrases)) {
    const name = phrases[id]?.('a', 'b', 'c') ?? '';
    const shown = translated(
      reading({
        breakdown: [{ kind: 'memory', label: { text: name }, tokens: 1, share: null, bar: 0, basis: 'counted' }],
        warnings: [{ text: name }],
      }),
    );
    assert.equal(shown.breakdown[0]?.label.text, name);
    assert.equal(shown.warnings[0]?.text, name);
  }
  l10n.bundle = german;
});

test('every phrase of the core has its English text if no other language is set', () => {
  l10n.bundle = undefined;
  assert.ok(Object.keys(phrases).length > 120);
  assert.equal(phrases.scaled?.('93'), 'Estimated rows were scaled to 93% to fit the measured total.');
  l10n.bundle = german;
});
