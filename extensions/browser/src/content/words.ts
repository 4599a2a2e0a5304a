// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';

export type Say = (key: string, ...args: string[]) => string;

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
  if (last && mode !== 'provider') out.push(say('newSince', n(fresh.tokens)));
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
  rows.push([say('row_free'), free]);
  if (reserve > 0) rows.push([say('row_reserve'), reserve]);
  rows.push([say('row_window'), limit]);
  if (compaction.buffer !== null) rows.push([say('row_buffer'), compaction.buffer]);
  return rows;
}
