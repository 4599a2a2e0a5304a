// Copyright The ctx-lsp authors. MIT licence.

import type { OfferParams, VocabularyParams } from '../api/protocol';
import { inWords } from './phrases';

/**
 * The vocabulary that the daemon offers for exact counts. The panel shows the offer without a prompt. If the user
 * ignores it, the daemon repeats the offer at its next start.
 */
export class Offer {
  private offered: OfferParams | undefined;

  constructor(private readonly send: (params: VocabularyParams) => Promise<unknown>) {}

  put(offer: OfferParams): void {
    this.offered = offer;
  }

  /** The offer as a sentence; empty if there is none. */
  get sentence(): string {
    return this.offered ? inWords(this.offered.phrase, this.offered.sentence) : '';
  }

  /** Passes the user's reply on. The daemon downloads the vocabulary, and shows progress and errors. */
  async answer(fetch: boolean): Promise<void> {
    const { offered } = this;
    this.offered = undefined;
    if (offered) {
      await this.send({ name: offered.name, fetch }).catch(() => undefined);
    }
  }
}
