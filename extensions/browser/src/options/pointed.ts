// Copyright The ctx-lsp authors. MIT licence.

import { type Pointed, pagesOf } from '../adapter/pointed';
import { register } from '../worker/scripts';

/**
 * Runs the scripts on the pages that the person points at, and nowhere else. Only here and where one is pointed at
 * are permissions for these pages asked for, and given back when the pages are removed. Asking comes first, because
 * browsers want it to happen during a click. Returns whether the permission was given.
 */
export async function runOn(pages: Pointed[], before: Pointed[]): Promise<boolean> {
  const origins = [...new Set(pages.map(pagesOf))];
  if (origins.length > 0 && !(await chrome.permissions.request({ origins, permissions: ['scripting'] }))) return false;
  const gone = [...new Set(before.map(pagesOf))].filter((o) => !origins.includes(o));
  await register(pages);
  // A permission that the manifest contains cannot be given back, which is no error.
  if (gone.length > 0) await chrome.permissions.remove({ origins: gone }).catch(() => false);
  if (origins.length === 0 && before.length > 0)
    await chrome.permissions.remove({ permissions: ['scripting'] }).catch(() => false);
  return true;
}

/** Asks for the permission for one more page; its port cannot be a part of that. */
export async function permitted(address: string): Promise<boolean> {
  const { protocol, hostname } = new URL(address);
  return chrome.permissions.request({ origins: [`${protocol}//${hostname}/*`], permissions: ['scripting'] });
}
