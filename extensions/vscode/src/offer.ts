// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { OfferParams, VocabularyParams } from '../api/protocol';
import { said } from './phrases';

/**
 * Asks whether a vocabulary is wanted, in the daemon's words, and passes the answer on. Closing the question is a no,
 * after which nobody is asked again. The daemon fetches it, and shows how far it is.
 */
export async function offerVocabulary(
  offer: OfferParams,
  answer: (params: VocabularyParams) => Promise<unknown>,
): Promise<void> {
  const fetch = vscode.l10n.t('Fetch');
  const chosen = await vscode.window.showInformationMessage(said(offer.sentence), fetch, vscode.l10n.t('No'));
  await answer({ name: offer.name, fetch: chosen === fetch }).catch(() => undefined); // the daemon says what is wrong
}
