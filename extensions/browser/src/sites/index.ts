// Copyright The ctx-lsp authors. MIT licence.

import { chatgpt } from './chatgpt';
import { claude } from './claude';
import { gemini } from './gemini';
import { generic, type Pointed } from './generic';
import type { Site } from './site';

export const sites: Site[] = [chatgpt, claude, gemini];

/** The adapter for an address: that of a known site, or of a page that the person points at. */
export function siteFor(url: URL, pointed: Pointed[]): Site | null {
  const own = pointed.find((p) => p.origin === url.origin);
  return sites.find((s) => s.matches(url)) ?? (own ? generic(own) : null);
}
