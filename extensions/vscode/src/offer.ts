// Copyright The ctx-lsp authors. MIT licence.

import type { OfferParams, VocabularyParams } from '../api/protocol';
import { inWords } from './phrases';

/**
 * The vocabulary that the daemon offers for exact counts. The panel shows the offer; nobody is asked. Without an answer
 * the daemon offers it again at its next run.
 */
export class Offer {
  private offered: OfferParams | undefined;

  constructor(private readonly send: (params: VocabularyParams) => Promise<unknown>) {}

  put(offer: OfferParams): void {
    this.offered = offer;
  }

  /** The offer in the daemon's words; empty without an offer. */
  get sentence(): string {
    return this.offered ? inWords(this.offered.phrase, this.offered.sentence) : '';
  }

  /** Passes the answer on. The daemon fetches the vocabulary, and shows how far it is and what goes wrong. */
  async answer(fetch: boolean): Promise<void> {
    const { offered } = this;
    this.offered = undefined;
    if (offered) {
      await this.send({ name: offered.name, fetch }).catch(() => undefined);
    }
  }
}
