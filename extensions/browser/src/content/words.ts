// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import type { Settings } from '../settings';

/**
 * The mark before a number. The text that is typed and answered can be counted exactly, but what the site sends besides
 * it cannot, until it is measured.
 */
export function mark(reading: Reading): string {
  if (reading.mode === 'provider') return reading.display.mark;
  return reading.display.mark || (reading.lastRequest ? '' : '~');
}

export type Say = (key: string, ...args: string[]) => string;

/** Why provider mode shows no measured percentage; empty if it shows one. */
export function unmeasured({ unmeasured: why }: Reading, say: Say): string {
  return why ? say(`why_${why.replaceAll(' ', '_')}`) : '';
}

/** The percentage; without a known window the tokens. */
export function number(reading: Reading): string {
  return reading.percent === null ? reading.display.used : reading.display.percent;
}

/** The badge's text. Without a known window there is no percentage to show. */
export function shortLine(reading: Reading, format: Settings['format'], say: Say): string {
  const d = reading.display;
  const why = unmeasured(reading, say);
  if (why) return `${number(reading)} · ${why}`;
  if (format === 'tokens' || reading.percent === null) return mark(reading) + d.used;
  return `${mark(reading)}${format === 'percentLeft' ? d.percentLeft : d.percent} · ${d.used}`;
}

/** The same in words, for people who hear it. */
export function inWords(reading: Reading, say: Say): string {
  const d = reading.display;
  const why = unmeasured(reading, say);
  if (why) return say('badgeUnmeasured', number(reading), why);
  return say('badgeLabel', d.percent, d.used, d.limit, say(`level_${reading.compaction.level}`));
}

/**
 * The size of the last request and what of its answer stays, what has come since, and how far the prediction was off.
 */
export function facts(reading: Reading, say: Say): string[] {
  const { lastRequest: last, new: fresh, accuracy, mode } = reading;
  const n = (tokens: number): string => tokens.toLocaleString();
  const signed = (value: number): string => value.toLocaleString(undefined, { signDisplay: 'exceptZero' });
  const out: string[] = [];
  if (last) {
    out.push(say('lastInput', n(last.in)));
    if (last.out !== null)
      out.push(
        mode === 'provider' ? say('lastOutput', n(last.out)) : say('lastOutputStays', n(last.out), n(last.carry)),
      );
  }
  if (mode !== 'provider') out.push(say('newSince', n(fresh.tokens)));
  if (accuracy.last) {
    const { error, percent } = accuracy.last;
    out.push(say('lastError', signed(error), signed(percent), accuracy.ratio.toLocaleString()));
  }
  return out;
}

/** The rows below what fills the window. Used, free and reserve add up to the window; the buffer is a part of it. */
export function sums(reading: Reading, say: Say): [string, number][] {
  const { used, free, reserve, limit, compaction } = reading;
  const rows: [string, number][] = [[say('row_used'), used]];
  if (limit === null || free === null) return rows;
  rows.push([say('row_free'), free], [say('row_reserve'), reserve], [say('row_window'), limit]);
  if (compaction.buffer !== null) rows.push([say('row_buffer'), compaction.buffer]);
  return rows;
}
