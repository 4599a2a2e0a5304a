// Copyright The ctx-lsp authors. MIT licence.

import type { Items } from '../api/protocol';

/** An unattributed item is listed among attributed ones if it takes at least this percentage of the window. */
const worthListing = 1;
/** How many items are listed if none is attributed. */
const namelessListed = 5;

/** Returns the largest items worth listing: all attributed ones, and large unattributed ones. */
export function worthNaming(items: Items['items']): Items['items'] {
  const worth = items.filter(({ what, share }) => Boolean(what) || (share ?? 0) >= worthListing);
  return worth.length > 0 ? worth : items.slice(0, namelessListed);
}
