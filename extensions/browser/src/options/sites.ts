// Copyright The ctx-lsp authors. MIT licence.

import { known, presets } from '../adapter/index';
import { checkSites } from '../adapter/override';

/**
 * Stores the entries that an imported file has for the sites, and returns a line about each of them. A file without
 * sites changes nothing, and an empty object removes earlier imports.
 */
export async function importSites(file: unknown): Promise<string[]> {
  if (file === undefined || file === null) return [];
  const { taken, refused } = checkSites([...known, ...presets], file);
  await chrome.storage.local.set({ sites: taken.length > 0 ? file : null });
  return [...taken.map((entry) => `${entry}: ✓`), ...refused];
}
