// Copyright The ctx-lsp authors. MIT licence.

import { type Pointed, pagesOf } from '../sites/generic';

const id = 'pointed';

/**
 * Lets the content script run on the pages that the person points at, and on no others any more. Permission for them is
 * asked for here and nowhere else, and given back when they are gone. The first thing it does is ask, as browsers want
 * it to be in the course of a click. Answers whether the permission was given.
 */
export async function runOn(pages: Pointed[], before: Pointed[]): Promise<boolean> {
  const origins = [...new Set(pages.map(pagesOf))];
  if (origins.length > 0 && !(await chrome.permissions.request({ origins, permissions: ['scripting'] }))) return false;
  const gone = [...new Set(before.map(pagesOf))].filter((o) => !origins.includes(o));
  if (chrome.scripting) {
    const known = await chrome.scripting.getRegisteredContentScripts({ ids: [id] });
    if (known.length > 0) await chrome.scripting.unregisterContentScripts({ ids: [id] });
    if (origins.length > 0)
      await chrome.scripting.registerContentScripts([
        { id, matches: origins, js: ['content.js'], runAt: 'document_idle' },
      ]);
  }
  // What the extension has anyway cannot be given back, which is no fault.
  if (gone.length > 0) await chrome.permissions.remove({ origins: gone }).catch(() => false);
  if (origins.length === 0 && before.length > 0)
    await chrome.permissions.remove({ permissions: ['scripting'] }).catch(() => false);
  return true;
}
