// Copyright The ctx-lsp authors. MIT licence.

import { type Pointed, pagesOf } from '../adapter/pointed';
import { register } from '../worker/scripts';

/**
 * Runs the scripts on exactly the pages that the user points at. Permissions for these pages are requested only here
 * and in `permitted`, and returned when the pages are removed. The request comes first, because browsers require it
 * during a click. Returns whether the permission was granted.
 */
export async function runOn(pages: Pointed[], before: Pointed[]): Promise<boolean> {
  const origins = [...new Set(pages.map(pagesOf))];
  if (origins.length > 0 && !(await chrome.permissions.request({ origins, permissions: ['scripting'] }))) return false;
  const removed = [...new Set(before.map(pagesOf))].filter((o) => !origins.includes(o));
  await register(pages);
  // A permission in the manifest cannot be returned, which is not an error.
  if (removed.length > 0) await chrome.permissions.remove({ origins: removed }).catch(() => false);
  if (origins.length === 0 && before.length > 0)
    await chrome.permissions.remove({ permissions: ['scripting'] }).catch(() => false);
  return true;
}

/** Requests the permission for one more page; a permission cannot contain the port. */
export async function permitted(address: string): Promise<boolean> {
  const { protocol, hostname } = new URL(address);
  return chrome.permissions.request({ origins: [`${protocol}//${hostname}/*`], permissions: ['scripting'] });
}
