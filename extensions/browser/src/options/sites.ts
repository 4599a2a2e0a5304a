// Copyright The ctx-lsp authors. MIT licence.

import { known, presets } from '../adapter/index';
import { checkSites } from '../adapter/override';

/**
 * Keeps what an imported file has for the sites, and says what became of each of its entries. A file without sites
 * changes nothing, and one with an empty object takes back what was imported.
 */
export async function importSites(file: unknown): Promise<string[]> {
  if (file === undefined || file === null) return [];
  const { taken, refused } = checkSites([...known, ...presets], file);
  await chrome.storage.local.set({ sites: taken.length > 0 ? file : null });
  return [...taken.map((entry) => `${entry}: ✓`), ...refused];
}
