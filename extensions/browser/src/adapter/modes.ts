// Copyright The ctx-lsp authors. MIT licence.

import type { Modes, Place } from './data';

/** Returns the texts at a place of a page, taking only the last answer's if last is set. */
export type TextsAt = (place: Place, last: boolean) => string[];

/**
 * Returns the id of the mode that the page's next message uses, from the first place that names one. Returns null if no
 * place does, or if one has a name that is not in the site's data, because then any mode may be chosen.
 */
export function modeOf({ places, list, none }: Modes, at: TextsAt): string | null {
  for (const place of places) {
    const texts = at(place, place.raw === true).map((t) => t.replace(/\s+/g, ' ').trim());
    const named = texts.map((t) => modeNamed(list, t, place.raw === true)).find((id) => id !== null);
    if (named) return named;
    if (place.alone && texts.some((t) => t !== '' && !matches(none, t))) return null;
  }
  return null;
}

/** Returns the mode that a text of the page names, or an id on the site's server if raw is set; null for any other. */
export function modeNamed(list: Modes['list'], text: string, raw: boolean): string | null {
  return list.find((m) => matches(raw ? m.slugs : m.texts, text))?.id ?? null;
}

const matches = (patterns: readonly string[], text: string): boolean =>
  patterns.some((p) => new RegExp(p, 'i').test(text.slice(0, 200)));
