// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import { numbersOf } from './numbers';
import type { Say } from './say';

/**
 * Returns sentences about the size of the last request and the part of its answer that stays, the tokens added since,
 * and the error of the last prediction.
 */
export function facts(reading: Reading, say: Say): string[] {
  const { lastRequest: last, new: fresh, accuracy, mode } = reading;
  const { tokens: n, signed } = numbersOf(say);
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
    out.push(say('lastError', signed(error), signed(percent), n(accuracy.ratio)));
  }
  return out;
}

/**
 * Returns the sums below the rows, each with the sign of its number. Used, free and reserve add up to the window. The
 * last row is the user's alert threshold.
 */
export function sums(reading: Reading, sign: string, say: Say): [label: string, tokens: number, sign: string][] {
  const { used, free, reserve, limit, compaction } = reading;
  const rows: [string, number, string][] = [[say('row_used'), used, sign]];
  if (limit === null || free === null) return rows;
  // If at least this much is used, at most the rest is free.
  rows.push([say(free < 0 ? 'row_beyond' : 'row_free'), free, free < 0 ? sign : sign.replace('≥', '≤')]);
  if (reserve > 0) rows.push([say('row_reserve'), reserve, '']);
  rows.push([say('row_window'), limit, '']);
  if (compaction.threshold !== null) rows.push([say('row_threshold'), compaction.threshold, '']);
  return rows;
}
