// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { OfferParams } from '../../api/protocol';
import { offerVocabulary } from '../../src/offer';
import * as stub from './vscode';

const offer: OfferParams = {
  name: 'claude',
  sentence: 'Exact counts for Claude: 4.7 MB from raw.githubusercontent.com (license MIT).',
  address: 'raw.githubusercontent.com',
  licence: 'MIT',
  bytes: 4_723_522,
  model: 'claude-opus-5',
};
const close = stub.window.press;

afterEach(() => {
  stub.window.press = close;
  stub.window.messages = [];
});

for (const [button, fetch] of [
  ['Fetch', true],
  ['No', false],
  [undefined, false],
] as const) {
  test(`a vocabulary is offered in the daemon's words, and ${button ?? 'closing it'} is passed on`, async () => {
    const answers: object[] = [];
    stub.window.press = (buttons) => {
      assert.deepEqual(buttons, ['Fetch', 'No']);
      return button;
    };
    await offerVocabulary(offer, (params) => Promise.resolve(answers.push(params)));
    assert.deepEqual(stub.window.messages, [offer.sentence]);
    assert.deepEqual(answers, [{ name: 'claude', fetch }]);
  });
}
