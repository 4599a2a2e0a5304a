// Copyright The ctx-lsp authors. MIT licence.

import type { Phrase, Text } from '../../../../wasm/js/types';
import { localised, numbersOf } from './numbers';
import type { Say } from './say';

/** A number as the core writes it, with its mark: ~62%, 65.8k. Other values are names and stay. */
const isNumber = /^[~≥≤!+-]?\d[\d.,]*[kM]?%?$/;

/** Phrases of values alone. As messages, `$1$2` would have a placeholder with the name 1. */
const joined = new Set(['sequence', 'marked']);

/**
 * Returns a text of the core in the language of the extension. Its phrases are messages with the prefix core_, which
 * the build adds; a text without one stays as it is.
 */
export function words(text: Text | undefined, say: Say): string {
  if (!text) return '';
  return (text.id && phrase(text.id, text.args ?? [], say)) || name(text.text, say);
}

function phrase(id: string, args: Phrase['args'], say: Say): string | null {
  const filled = (args ?? []).map((arg) =>
    typeof arg === 'number'
      ? numbersOf(say).tokens(arg)
      : typeof arg === 'string'
        ? name(arg, say)
        : phrase(arg.id, arg.args ?? [], say),
  );
  if (filled.some((arg) => arg === null)) return null;
  if (joined.has(id)) return filled.join('');
  const said = say(`core_${id}`, ...(filled as string[]));
  return said === `core_${id}` ? null : said;
}

const name = (text: string, say: Say): string => (isNumber.test(text) ? localised(text, say('language')) : text);
