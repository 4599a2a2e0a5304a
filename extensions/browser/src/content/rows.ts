// Copyright The ctx-lsp authors. MIT licence.

import type { LargeItem, Panel, PanelRow, PanelSection } from '../../../../wasm/js/types';
import type { PageItem } from '../messages';
import { numbersOf } from './numbers';
import { words } from './phrases';
import type { Say } from './say';

/** Returns the rows of a section of the core's panel in the long form. */
export function rowsOf(panel: Panel | null | undefined, section: string): readonly PanelRow[] {
  const isLong = ({ only }: PanelRow | PanelSection): boolean => only !== 'short';
  return panel?.sections.find((s) => s.id === section && isLong(s))?.rows.filter(isLong) ?? [];
}

/** Returns a row's label, value and note as one sentence. */
export const sentence = ({ label, value, note }: PanelRow, say: Say): string =>
  `${label ? `${words(label, say)}: ` : ''}${[words(value, say), words(note, say)].filter(Boolean).join(' · ')}`;

/** Returns the total with the sign of the conversation's number, which depends on what the page shows of it. */
export const signed = (value: string, sign: string): string => sign + value.replace(/^[~≥≤?!]\s*/, '');

/** Returns how full the window is, in a few words. */
export function fullness(rows: readonly PanelRow[], sign: string, say: Say): string {
  const usage = rows.find(({ id }) => id === 'usage');
  const [value, note] = [words(usage?.value, say), words(usage?.note, say)];
  return typeof usage?.share !== 'number' ? signed(note, sign) : `${signed(value, sign)} · ${note}`;
}

/** Returns an element with a text and data. */
export function el(tag: string, text: string, data: DOMStringMap = {}): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  Object.assign(made.dataset, data);
  return made;
}

/** Draws the content of the window as one stacked bar. */
export function stackedBar(rows: readonly PanelRow[]): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'bar';
  bar.setAttribute('aria-hidden', 'true');
  const parts = rows.filter(({ kind, share }) => kind && share);
  bar.hidden = parts.length === 0;
  for (const { kind, share } of parts) {
    const part = el('span', '', { kind: kind! });
    part.style.width = `${share}%`;
    bar.append(part);
  }
  return bar;
}

/** Draws rows with numbers as a table: the parts with their colors, and below them the sums. */
export function table(rows: readonly PanelRow[], sign: string, say: Say): HTMLElement {
  const table = document.createElement('table');
  const [body, foot] = [table.createTBody(), table.createTFoot()];
  for (const row of rows) {
    const tr = (row.kind ? body : foot).insertRow();
    const label = tr.insertCell();
    if (row.kind) label.append(el('i', '', { kind: row.kind }));
    label.append(labelOf(row, 'row', say));
    if (row.note) label.append(' ', el('small', words(row.note, say)));
    const value = words(row.value, say);
    const total = row.id === 'used' ? sign : row.kind || row.id === 'limit' ? null : sign.replace('≥', '≤');
    tr.insertCell().textContent = total === null ? value : signed(value, total);
    tr.insertCell().textContent = row.kind && typeof row.share === 'number' ? numbersOf(say).percent(row.share) : '';
  }
  return table;
}

/** Draws the largest items. Those that the page shows are buttons with the beginning of their text. */
export function largest(
  rows: readonly PanelRow[],
  items: readonly LargeItem[],
  pieceAt: (index: number) => PageItem | null,
  goTo: (index: number) => void,
  say: Say,
): HTMLElement[] {
  return rows.flatMap((row, i) => {
    const index = items[i]?.index ?? -1;
    const piece = pieceAt(index);
    if (!piece?.text) return [];
    const button = el('button', '', { key: `large ${index}` });
    button.className = 'large';
    button.append(el('span', opening(row, piece, say)), el('span', words(row.value, say)));
    button.addEventListener('click', () => goTo(index));
    return [button];
  });
}

/** How many characters of a message are shown. */
const beginning = 60;

function opening(row: PanelRow, piece: PageItem, say: Say): string {
  if (piece.file) return say('fileNamed', piece.file);
  const text = piece.text
    .slice(0, 10 * beginning)
    .trim()
    .replace(/\s+/g, ' ');
  const begins = text.length > beginning ? `${text.slice(0, beginning)}…` : text;
  return begins ? say('oneBegins', labelOf(row, 'one', say), begins) : labelOf(row, 'one', say);
}

/** Returns the name of a row's kind in a conversation with a site; the core's label of a row without one. */
function labelOf({ kind, label }: PanelRow, prefix: string, say: Say): string {
  const key = `${prefix}_${kind}`;
  const said = kind ? say(key) : key;
  return said === key ? words(label, say) : said;
}
