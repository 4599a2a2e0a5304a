// Copyright The ctx-lsp authors. MIT licence.

import { digest, type PageItem } from '../messages';
import type { SiteData, UnseenSize } from './data';

/** Returns the size of the hidden part of a site's prompts; null if no source gives one. */
export const unseenSize = ({ unseen }: SiteData, mode: string | null, model: string): UnseenSize | null =>
  unseen?.sizes.find((s) => new RegExp(s.model, 'i').test(`${mode ?? ''} ${model}`.slice(0, 300))) ?? null;

/**
 * Returns the hidden part of a site's prompts as an item of a conversation: with its usual size, or with its least size
 * if the conversation's number is a lower bound. Returns null if the size is unknown.
 */
export function unseenItem(size: UnseenSize | null, isLeast: boolean): PageItem | null {
  if (!size) return null;
  const tokens = isLeast ? size.least : size.usual;
  return { kind: 'system', text: '', tokens, digest: digest(`unseen ${tokens}`) };
}
