// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { learnPhrases, translatedHistory } from '../../src/phrases';
import { l10n } from './vscode';

before(async () => {
  l10n.bundle = {
    'the tools changed': 'die Tools haben sich geändert',
    '{0} ({1} was loaded)': '{0} ({1} wurde geladen)',
    '{0}: {1} tokens were written to the cache again': '{0}: {1} Token wurden erneut in den Cache geschrieben',
  };
  await learnPhrases();
});
after(() => {
  l10n.bundle = undefined;
});

test('breaks of the prompt cache in the history are in the language of the editor', () => {
  const causePhrase = { id: 'breakLoaded', args: [{ id: 'breakTools' }, 'WebFetch'] };
  const [shown] = translatedHistory({
    points: [],
    compactions: [],
    verdicts: [],
    threshold: null,
    limit: null,
    moves: [],
    breaks: [
      {
        at: null,
        call: 7,
        cause: 'tools',
        recorded: true,
        written: 9_000,
        unread: false,
        kept: 20,
        causeText: { text: 'the tools changed (WebFetch was loaded)', ...causePhrase },
        text: {
          text: 'the tools changed (WebFetch was loaded): 9000 tokens were written to the cache again',
          id: 'breakWritten',
          args: [causePhrase, 9000],
        },
      },
    ],
  }).breaks;
  assert.match(
    shown?.text.text ?? '',
    /^die Tools .* \(WebFetch wurde geladen\): 9.?000 Token wurden erneut in den Cache /,
  );
  assert.equal(shown?.call, 7);
});
