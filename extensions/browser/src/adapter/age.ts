// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from './data';

/** Sites change their windows about three times a year. */
const days = 120;

/** Reports whether data of a day may no longer be true. */
export const isOld = (asOf: string, now: number): boolean => now - Date.parse(asOf) > days * 86_400_000;

/** Returns the oldest date of a site's windows or hidden sizes if it is too long ago; otherwise null. */
export function oldDay({ plans, unseen }: SiteData, now: number): string | null {
  const days = [plans?.asOf, unseen?.asOf].filter((day) => day !== undefined).filter((day) => isOld(day, now));
  return days.sort()[0] ?? null;
}
