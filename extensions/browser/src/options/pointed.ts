// Copyright The ctx-lsp authors. MIT licence.

import { type Pointed, pagesOf } from '../sites/generic';

const id = 'pointed';

/**
 * Registers the content script for the pages that the person points at, and unregisters it everywhere else. Only here
 * are permissions for these pages asked for, and given back when the pages are removed. Asking comes first, because
 * browsers want it to happen during a click. Returns whether the permission was given.
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
  // A permission that the manifest contains cannot be given back, which is no error.
  if (gone.length > 0) await chrome.permissions.remove({ origins: gone }).catch(() => false);
  if (origins.length === 0 && before.length > 0)
    await chrome.permissions.remove({ permissions: ['scripting'] }).catch(() => false);
  return true;
}
