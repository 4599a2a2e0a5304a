// Copyright The ctx-lsp authors. MIT licence.

import type { Row } from '../api/protocol';

/** The parts of a window, largest first; those that are not in it yet come last. */
export function largestFirst(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(a.deferred ?? false) - Number(b.deferred ?? false) || b.tokens - a.tokens);
}
