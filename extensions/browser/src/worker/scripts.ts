// Copyright The ctx-lsp authors. MIT licence.

import { type Pointed, pagesOf } from '../adapter/pointed';

/** The content script, and the wrapper in the page's own world, which receives the responses of the page's server. */
const ids = { content: 'pointed', wrapper: 'pointed-wrapper' };

/** Registers the scripts for the pages that the user points at, and unregisters them everywhere else. */
export async function register(pages: readonly Pointed[]): Promise<void> {
  // Without this permission, the user has not pointed at any page.
  if (!chrome.scripting) return;
  const matches = [...new Set(pages.map(pagesOf))];
  const known = await chrome.scripting.getRegisteredContentScripts({ ids: Object.values(ids) });
  if (known.length > 0) await chrome.scripting.unregisterContentScripts({ ids: known.map((k) => k.id) });
  if (matches.length > 0)
    await chrome.scripting.registerContentScripts([
      { id: ids.wrapper, matches, js: ['wrapper.js'], runAt: 'document_start', world: 'MAIN' },
      { id: ids.content, matches, js: ['content.js'], runAt: 'document_idle' },
    ]);
}

/**
 * Runs the scripts in a tab that was opened before they were registered; returns false if the browser does not allow
 * it.
 */
export async function inject(tabId: number): Promise<boolean> {
  if (!chrome.scripting) return false;
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: ['wrapper.js'], world: 'MAIN' });
    await chrome.scripting.executeScript({ target: { tabId }, files: ['content.js'] });
    return true;
  } catch {
    return false;
  }
}
