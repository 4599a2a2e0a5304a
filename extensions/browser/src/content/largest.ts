// Copyright The ctx-lsp authors. MIT licence.

import type { LargeItem } from '../../../../wasm/js/types';
import type { PageItem } from '../messages';
import { numbersOf } from './numbers';
import type { Say } from './say';

/** How many of the largest messages are listed, and how many characters of each one are shown. */
const most = 6;
const beginning = 60;

/**
 * Returns a button for each of the largest messages, with the beginning of its text. A click scrolls to the message.
 */
export function largestRows(
  largest: readonly LargeItem[],
  pieceAt: (index: number) => PageItem | null,
  goTo: (index: number) => void,
  say: Say,
): HTMLElement[] {
  return largest
    .filter((l) => l.kind !== 'system' && l.tokens > 0)
    .slice(0, most)
    .map((l) => {
      const button = document.createElement('button');
      button.className = 'large';
      button.dataset.key = `large ${l.index}`;
      const name = document.createElement('span');
      name.textContent = nameOf(l, pieceAt(l.index), say);
      const size = document.createElement('span');
      size.textContent = `${l.basis === 'counted' || l.basis === 'measured' ? '' : '~'}${numbersOf(say).tokens(l.tokens)}`;
      button.append(name, size);
      button.addEventListener('click', () => goTo(l.index));
      return button;
    });
}

function nameOf(large: LargeItem, piece: PageItem | null, say: Say): string {
  const kind = say(`one_${large.kind}`);
  if (piece?.file) return say('fileNamed', piece.file);
  const words =
    piece?.text
      .slice(0, 10 * beginning)
      .trim()
      .replace(/\s+/g, ' ') ?? '';
  const begins = words.length > beginning ? `${words.slice(0, beginning)}…` : words;
  return begins ? say('oneBegins', kind, begins) : kind;
}
