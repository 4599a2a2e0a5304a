// Copyright The ctx-lsp authors. MIT licence.

/**
 * Returns the words of a text and how often each occurs. Markdown symbols are ignored, so that a text and its rendering
 * have the same words. In scripts without spaces, each character is a word.
 */
export function words(text: string): Map<string, number> {
  const out = new Map<string, number>();
  const all = text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu);
  for (const word of all ?? []) out.set(word, (out.get(word) ?? 0) + 1);
  return out;
}

/** The number of words in two texts, and how many they have in common. */
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

/** Reports whether at most a third of either text is missing in the other. Two texts without words agree. */
export const agrees = ({ a, b, common }: Agreement): boolean => 3 * common >= 2 * Math.max(a, b);
