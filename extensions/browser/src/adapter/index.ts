// Copyright The ctx-lsp authors. MIT licence.

import { siteOf } from './adapter';
import { known, presets } from './all';
import { overridden } from './override';
import { generic, type Pointed } from './pointed';
import type { Site } from './site';

export { known, presets };

export const sites: Site[] = known.map(siteOf);

/**
 * The adapter for an address: that of a known site, with what the person has imported for it, or that of a page that
 * the person points at.
 */
export function siteFor(url: URL, pointed: Pointed[], imported: unknown = null): Site | null {
  const data = known.find((s) => s.hosts.includes(url.hostname));
  if (data) return siteOf(overridden(data, imported).data);
  const own = pointed.find((p) => p.origin === url.origin);
  return own ? siteOf(generic(own, imported)) : null;
}
