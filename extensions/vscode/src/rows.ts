// Copyright The ctx-lsp authors. MIT licence.

import type { Items, Row } from '../api/protocol';

/** The parts of a window, largest first; those that are not in it yet come last. */
export function largestFirst(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(a.deferred ?? false) - Number(b.deferred ?? false) || b.tokens - a.tokens);
}

/** From how many percent of the window on a thing without a name is listed beside those that have one. */
const worthListing = 1;
/** How many things are listed where none has a name. */
const namelessListed = 5;

/** The largest things that are worth a line: all that have a name, and others that take much. */
export function worthNaming(items: Items['items']): Items['items'] {
  const worth = items.filter(({ what, share }) => Boolean(what) || (share ?? 0) >= worthListing);
  return worth.length > 0 ? worth : items.slice(0, namelessListed);
}
