// Copyright The ctx-lsp authors. MIT licence.

import { digest, type PageItem } from '../messages';
import type { SiteData } from './data';

/**
 * What a site sends besides the messages and shows on no page, as a piece of its usual size: its instructions, its
 * tools and what it remembers. Null where nobody has said how large that is.
 */
export function unseenItem({ unseen }: SiteData, mode: string, model: string): PageItem | null {
  const size = unseen?.sizes.find((s) => new RegExp(s.model, 'i').test(`${mode} ${model}`.slice(0, 300)));
  if (!size || size.tokens <= 0) return null;
  return { kind: 'system', text: '', tokens: size.tokens, digest: digest(`unseen ${size.tokens}`) };
}
