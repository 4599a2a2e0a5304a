// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../api/protocol';
import { largestFirst } from '../../rows';
import { el, section, table } from './dom';
import { exact, mark, word } from './language';

/**
 * The stacked bar of what fills the window, with the line of compaction, and the same numbers as a table, the largest
 * part first.
 */
export function fills(reading: Reading): HTMLElement {
  const sorted = largestFirst(reading.breakdown);
  const rows = sorted.filter((row) => !row.deferred);
  const bar = el('div', {
    class: 'bar',
    role: 'img',
    'aria-label': `${word('fills')}: ${rows.map((r) => `${r.label} ${mark(r.basis)}${exact(r.tokens)}`).join(', ')}`,
  });
  for (const row of rows) {
    bar.append(piece(`kind-${cssName(row.kind)}`, row.tokens, `${row.label}: ${mark(row.basis)}${exact(row.tokens)}`));
  }
  if (reading.free !== null && reading.free > 0) {
    bar.append(piece('free', reading.free, `${word('free')}: ${exact(reading.free)}`));
  }
  if (reading.reserve > 0) {
    bar.append(piece('reserve', reading.reserve, `${word('reserve')}: ${exact(reading.reserve)}`));
  }
  const frame = el('div', { class: 'bar-frame' }, bar);
  const { line, lineShare } = reading.compaction;
  if (line !== null && lineShare !== null && reading.limit !== null && reading.used <= reading.limit) {
    const marker = el('div', { class: 'bar-line', title: `${word('line')}: ${exact(line)}` });
    marker.style.insetInlineStart = `${lineShare}%`;
    frame.append(marker);
  }
  const list = sorted.map((row) => [
    el(
      'span',
      {},
      el('span', { class: `swatch kind-${cssName(row.kind)}`, 'aria-hidden': 'true' }),
      row.label,
      row.deferred ? el('small', {}, ` ${word('deferred')}`) : '',
    ),
    share(row.kind, row.bar, `${mark(row.basis)}${exact(row.tokens)}`),
    word(`basis.${row.basis}`),
  ]);
  // Used, free and reserve add up to the window; the buffer is a part of it.
  const sum = (what: string, tokens: number | null, swatch = '', marked = ''): void => {
    if (tokens !== null) {
      const colour = swatch ? el('span', { class: `swatch ${swatch}`, 'aria-hidden': 'true' }) : '';
      list.push([el('span', {}, colour, word(what)), `${marked}${exact(tokens)}`, '']);
    }
  };
  sum('used', reading.used, '', reading.display.mark);
  if (reading.limit !== null) {
    sum('free', reading.free, 'free', reading.display.mark);
    sum('reserve', reading.reserve, 'reserve');
    sum('window', reading.limit);
    sum('buffer', reading.compaction.buffer);
  }
  return section('fills', word('fills'), frame, table([word('part'), word('tokens'), word('basis')], list));
}

/** A number above a thin bar, as long as the Reading says. */
export function share(kind: string, length: number, text: string): HTMLElement {
  const bar = el('span', { class: `share kind-${cssName(kind)}`, 'aria-hidden': 'true' });
  bar.style.width = `${length}%`;
  return el('span', { class: 'shared' }, text, bar);
}

function piece(kind: string, tokens: number, title: string): HTMLElement {
  const part = el('div', { class: `piece ${kind}`, title });
  part.style.flexGrow = String(tokens);
  return part;
}

function cssName(kind: string): string {
  return kind.replace(/[^a-zA-Z]/g, '');
}
