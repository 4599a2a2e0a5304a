// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage } from '../messages';

/** How many usages are passed on in a second, so that a page which makes them up does not keep the worker busy. */
const perSecond = 10;
let second = 0;
let said = 0;

/**
 * Bounds what the wrapper in the page's own world has found. The page itself could have written it, so it is passed on
 * as data only, and the worker refuses what cannot be true.
 */
export function heard(data: unknown, now: number): FromPage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { ctxLspUsage, ctxLspError, status } = data as Record<string, unknown>;
  if (ctxLspUsage === undefined && ctxLspError === undefined) return null;
  if (now - second > 1000) {
    second = now;
    said = 0;
  }
  if (++said > perSecond) return null;
  const usage = bounded(ctxLspUsage);
  if (usage) return { type: 'usage', usage };
  const error = bounded(ctxLspError);
  return error && typeof status === 'number' && status >= 400 && status < 600
    ? { type: 'refused', error, status }
    : null;
}

/** An object of at most 4 KB as JSON; null for anything else. */
function bounded(value: unknown): object | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  try {
    const json = JSON.stringify(value);
    return json.length <= 4096 ? (JSON.parse(json) as object) : null;
  } catch {
    return null;
  }
}
