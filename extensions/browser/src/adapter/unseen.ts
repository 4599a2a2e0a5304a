// Copyright The ctx-lsp authors. MIT licence.

import { digest, type PageItem } from '../messages';
import type { SiteData, UnseenSize } from './data';

/** Returns how large that is what a site sends and shows on no page; null if no source says. */
export const unseenSize = ({ unseen }: SiteData, mode: string | null, model: string): UnseenSize | null =>
  unseen?.sizes.find((s) => new RegExp(s.model, 'i').test(`${mode ?? ''} ${model}`.slice(0, 300))) ?? null;

/**
 * What a site sends and shows on no page, as a piece of a conversation: of its usual size, and of its least one if the
 * conversation's number is a lower bound.
 */
export function unseenItem(size: UnseenSize | null, isLeast: boolean): PageItem | null {
  if (!size) return null;
  const tokens = isLeast ? size.least : size.usual;
  return { kind: 'system', text: '', tokens, digest: digest(`unseen ${tokens}`) };
}
