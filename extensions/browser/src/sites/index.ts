// Copyright The ctx-lsp authors. MIT licence.

import { siteOf } from './adapter';
import { chatgpt } from './chatgpt';
import { claude } from './claude';
import type { SiteData } from './data';
import { gemini } from './gemini';
import { generic, type Pointed } from './generic';
import { overridden } from './override';
import type { Site } from './site';

/** Every site the extension knows, as it is shipped. */
export const known: readonly SiteData[] = [chatgpt, claude, gemini];

export const sites: Site[] = known.map(siteOf);

/**
 * The adapter for an address: that of a known site, with what the person has imported for it, or that of a page that
 * the person points at.
 */
export function siteFor(url: URL, pointed: Pointed[], imported: unknown = null): Site | null {
  const data = known.find((s) => s.hosts.includes(url.hostname));
  if (data) return siteOf(overridden(data, imported).data);
  const own = pointed.find((p) => p.origin === url.origin);
  return own ? siteOf(generic(own)) : null;
}
