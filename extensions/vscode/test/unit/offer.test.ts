// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferParams } from '../../api/protocol';
import { Offer } from '../../src/offer';
import { fromPage } from '../../src/panel/messages';
import * as stub from './vscode';

const offered: OfferParams = {
  name: 'claude',
  sentence: 'Exact counts for Claude: 4.7 MB from raw.githubusercontent.com (license MIT).',
  address: 'raw.githubusercontent.com',
  licence: 'MIT',
  bytes: 4_723_522,
  model: 'claude-opus-5',
};

for (const fetch of [true, false]) {
  test(`a vocabulary is offered in the daemon's words without a question, and ${fetch ? 'Fetch' : 'No'} is passed on once`, async () => {
    const answers: object[] = [];
    const offer = new Offer((params) => Promise.resolve(answers.push(params)));
    assert.equal(offer.sentence, '');
    offer.put(offered);
    assert.equal(offer.sentence, offered.sentence);
    assert.deepEqual([stub.window.messages, answers], [[], []]);
    await offer.answer(fetch);
    await offer.answer(fetch);
    assert.deepEqual(answers, [{ name: 'claude', fetch }]);
    assert.equal(offer.sentence, '');
  });
}

test('the page answers an offer with yes or no, and with nothing else', () => {
  assert.deepEqual(fromPage({ type: 'offer', fetch: true }), { type: 'offer', fetch: true });
  assert.equal(fromPage({ type: 'offer', fetch: 'claude' }), undefined);
});
