// Copyright The ctx-lsp authors. MIT licence.

import { siteOf } from './adapter';
import { known, presets } from './all';
import { overridden } from './override';
import { generic, type Pointed } from './pointed';
import type { Site } from './site';

export { known, presets };

export const sites: Site[] = known.map(siteOf);

/**
 * Returns the adapter for an address: the one of a known site, with the user's imported entries, or the one of a page
 * that the user points at; null for any other page.
 */
export function siteFor(url: URL, pointed: Pointed[], imported: unknown = null): Site | null {
  const data = known.find((s) => s.hosts.includes(url.hostname));
  if (data) return siteOf(overridden(data, imported).data);
  const own = pointed.find((p) => p.origin === url.origin);
  return own ? siteOf(generic(own, imported)) : null;
}
