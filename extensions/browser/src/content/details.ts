// Copyright The ctx-lsp authors. MIT licence.

import type { Reading, Row } from '../../../../wasm/js/types';
import { numbersOf } from './numbers';
import type { Say } from './say';

/** Returns the content of the window as one stacked bar, with each row's share from the Reading. */
export function stackedBar(reading: Reading): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'bar';
  bar.setAttribute('aria-hidden', 'true');
  bar.hidden = reading.limit === null;
  for (const row of reading.breakdown.filter((r) => !r.deferred && (r.share ?? 0) > 0)) {
    const part = document.createElement('span');
    part.dataset.kind = row.kind;
    part.style.width = `${row.share}%`;
    bar.append(part);
  }
  return bar;
}

/** A file in one of the rows. */
export interface FileRow {
  kind: string;
  name: string;
  tokens: number;
  basis: string;
}

/** Returns a table of the rows with their colors, the files in them by name, and the sums below. */
export function rowsOf(
  reading: Reading,
  sums: [label: string, tokens: number, sign: string][],
  say: Say,
  files: readonly FileRow[] = [],
): HTMLElement {
  const { tokens, percent } = numbersOf(say);
  const table = document.createElement('table');
  const body = table.createTBody();
  const size = (n: number, basis: string): string => `${basis === 'estimated' ? '~' : ''}${tokens(n)}`;
  for (const row of reading.breakdown) {
    const tr = body.insertRow();
    const label = tr.insertCell();
    const colour = document.createElement('i');
    colour.dataset.kind = row.kind;
    label.append(colour, labelOf(row, say));
    tr.insertCell().textContent = size(row.tokens, row.basis);
    tr.insertCell().textContent = row.share === null ? '' : percent(row.share);
    for (const file of files.filter((f) => f.kind === row.kind)) {
      const of = body.insertRow();
      of.className = 'file';
      // A long name is truncated after its second line; the tooltip shows it in full.
      const name = document.createElement('span');
      name.textContent = say('rowFile', file.name);
      name.title = file.name;
      of.insertCell().append(name);
      of.insertCell().textContent = size(file.tokens, file.basis);
      of.insertCell();
    }
  }
  const foot = table.createTFoot();
  for (const [label, n, sign] of sums) {
    const tr = foot.insertRow();
    tr.insertCell().textContent = label;
    tr.insertCell().textContent = `${sign}${tokens(Math.abs(n))}`;
    tr.insertCell();
  }
  return table;
}

function labelOf(row: Row, say: Say): string {
  const key = `row_${row.kind}`;
  const label = say(key);
  return label === key ? row.label : label;
}

const svg = 'http://www.w3.org/2000/svg';

/**
 * The ring in front of the number. Its circumference is 100, so the length of the drawn part is the percentage itself.
 */
export class Ring {
  readonly element = document.createElementNS(svg, 'svg');
  private readonly part = document.createElementNS(svg, 'circle');

  constructor() {
    this.element.setAttribute('viewBox', '0 0 40 40');
    this.element.setAttribute('class', 'ring');
    this.element.setAttribute('aria-hidden', 'true');
    for (const [circle, name] of [
      [document.createElementNS(svg, 'circle'), 'rest'],
      [this.part, 'part'],
    ] as const) {
      for (const [key, value] of Object.entries({ cx: '20', cy: '20', r: '15.9155', class: name }))
        circle.setAttribute(key, value);
      this.element.append(circle);
    }
  }

  /** Draws a percentage, or hides the ring if it is null. */
  draw(share: number | null): void {
    this.element.style.display = share === null ? 'none' : '';
    this.part.setAttribute('stroke-dasharray', `${Math.min(100, share ?? 0)} 100`);
  }
}
