// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import type { Settings } from '../settings';

/**
 * What is typed and answered can be counted to the token; what the site sends besides it cannot, until it is measured.
 */
export function mark(reading: Reading): string {
  return reading.display.mark || (reading.lastRequest ? '' : '~');
}

/** The badge's line. Without a known window there is no percentage to show. */
export function shortLine(reading: Reading, format: Settings['format']): string {
  const d = reading.display;
  if (format === 'tokens' || reading.percent === null) return mark(reading) + d.used;
  return `${mark(reading)}${format === 'percentLeft' ? d.percentLeft : d.percent} · ${d.used}`;
}

/** The same for people who hear it. */
export function inWords(reading: Reading, say: (key: string, ...args: string[]) => string): string {
  const d = reading.display;
  return say('badgeLabel', d.percent, d.used, d.limit, say(`level_${reading.compaction.level}`));
}
