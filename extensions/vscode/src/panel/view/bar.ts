// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../api/protocol';
import { largestFirst } from '../../rows';
import { el, section, table } from './dom';
import { exact, mark, percent, word } from './language';

type Part = Reading['breakdown'][number];

/**
 * Draws the content of the window as a stacked bar with the compaction threshold, and as a table, the largest part
 * first. Parts below one percent are folded.
 */
export function fills(reading: Reading): HTMLElement {
  const sorted = largestFirst(reading.breakdown);
  const looks = looksOf(sorted);
  const small = sorted.filter((row) => row.share !== null && row.share < 1);
  const large = sorted.filter((row) => !small.includes(row));
  const sums: (Node | string)[][] = [];
  // Used, free and reserve add up to the window; the buffer is a part of it.
  const sum = (what: string, tokens: number | null, share: number | null, swatch = '', marked = ''): void => {
    if (tokens !== null) {
      const colour = swatch ? el('span', { class: `swatch ${swatch}`, 'aria-hidden': 'true' }) : '';
      sums.push([el('span', {}, colour, word(what)), `${marked}${exact(tokens)}`, percent(share)]);
    }
  };
  const others =
    small.length === 0
      ? []
      : [
          el(
            'details',
            { id: 'others' },
            el('summary', {}, word('others', exact(small.length))),
            table(
              null,
              small.map((row) => partRow(row, looks)),
            ),
          ),
        ];
  sum('used', reading.used, reading.percent, '', reading.display.mark);
  if (reading.limit !== null) {
    sum('free', reading.free, reading.freeShare, 'free', reading.display.mark);
    sum('reserve', reading.reserve, reading.reserveShare, 'reserve');
    sum('window', reading.limit, null);
    sum('buffer', reading.compaction.buffer, reading.compaction.bufferShare);
  }
  const header = [word('part'), word('tokens'), word('share')];
  const parts = table(
    header,
    large.map((row) => partRow(row, looks)),
  );
  return section('fills', word('fills'), bar(reading, sorted, looks), parts, ...others, table(null, sums));
}

/** Draws the bar, with the name of the threshold above its mark. */
function bar(reading: Reading, sorted: readonly Part[], looks: ReadonlyMap<Part, string>): HTMLElement {
  const rows = sorted.filter((row) => !row.deferred);
  const drawn = el('div', {
    class: 'bar',
    role: 'img',
    'aria-label': `${word('fills')}: ${rows.map((r) => `${r.label} ${mark(r.basis)}${exact(r.tokens)}`).join(', ')}`,
  });
  for (const row of rows) {
    drawn.append(piece(looks.get(row) ?? '', row.tokens, `${row.label}: ${mark(row.basis)}${exact(row.tokens)}`));
  }
  if (reading.free !== null && reading.free > 0) {
    drawn.append(piece('free', reading.free, `${word('free')}: ${exact(reading.free)}`));
  }
  if (reading.reserve > 0) {
    drawn.append(piece('reserve', reading.reserve, `${word('reserve')}: ${exact(reading.reserve)}`));
  }
  const frame = el('div', { class: 'bar-frame' }, drawn);
  const { threshold, thresholdShare } = reading.compaction;
  if (threshold !== null && thresholdShare !== null && reading.limit !== null && reading.used <= reading.limit) {
    const name = `${word('threshold')}: ${exact(threshold)}`;
    const marker = el(
      'div',
      { class: 'bar-line', title: name },
      el('span', { class: thresholdShare < 40 ? 'bar-name early' : 'bar-name' }, name),
    );
    marker.style.insetInlineStart = `${thresholdShare}%`;
    frame.classList.add('named');
    frame.append(marker);
  }
  return frame;
}

/** Returns the classes that color each part: by its kind, and by its position among parts of the same kind. */
function looksOf(rows: readonly Part[]): Map<Part, string> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const nth = seen.get(row.kind) ?? 0;
      seen.set(row.kind, nth + 1);
      return [row, nth === 0 ? `kind-${cssName(row.kind)}` : `kind-${cssName(row.kind)} shade-${Math.min(nth, 3)}`];
    }),
  );
}

/**
 * Returns the cells of a part: its name, its tokens with their basis as symbol and tooltip, and its share of the
 * window.
 */
function partRow(row: Part, looks: ReadonlyMap<Part, string>): (Node | string)[] {
  const look = looks.get(row) ?? '';
  const tokens = share(row.kind, row.bar, `${mark(row.basis)}${exact(row.tokens)}`, look);
  tokens.title = word(`basis.${row.basis}`);
  return [
    el(
      'span',
      {},
      el('span', { class: `swatch ${look}`, 'aria-hidden': 'true' }),
      row.label,
      row.deferred ? el('small', {}, ` ${word('deferred')}`) : '',
    ),
    tokens,
    percent(row.share),
  ];
}

/** Draws a number above a thin bar with the length from the Reading. */
export function share(kind: string, length: number, text: string, look = `kind-${cssName(kind)}`): HTMLElement {
  const bar = el('span', { class: `share ${look}`, 'aria-hidden': 'true' });
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
