// Copyright The ctx-lsp authors. MIT licence.

/**
 * The words of a text with how often each is there. Signs of Markdown are none, so that a text and what a page shows of
 * it have the same words; where a script has no blanks, each of its signs is one.
 */
export function words(text: string): Map<string, number> {
  const out = new Map<string, number>();
  const all = text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu);
  for (const word of all ?? []) out.set(word, (out.get(word) ?? 0) + 1);
  return out;
}

/** How many words two texts have, and how many they have in common. */
export interface Agreement {
  a: number;
  b: number;
  common: number;
}

export function agreement(a: Map<string, number>, b: Map<string, number>): Agreement {
  const out = { a: 0, b: 0, common: 0 };
  for (const n of b.values()) out.b += n;
  for (const [word, n] of a) {
    out.a += n;
    out.common += Math.min(n, b.get(word) ?? 0);
  }
  return out;
}

/** Whether no more than a third of either is missing in the other. Two texts without words agree. */
export const agrees = ({ a, b, common }: Agreement): boolean => 3 * common >= 2 * Math.max(a, b);
