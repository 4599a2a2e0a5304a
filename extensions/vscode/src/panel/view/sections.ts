// Copyright The ctx-lsp authors. MIT licence.

import { type PanelAct, type PanelState, panelActs, type ShownRow, type ShownSection } from '../messages';
import { el, folded, section, svg, table } from './dom';
import { percent, word } from './language';

const none: ShownSection = { id: '', title: '', rows: [] };

/** Returns a section of the panel; an empty one if the panel does not have it. */
export function sectionOf({ panel }: PanelState, id: string): ShownSection {
  return panel.find((s) => s.id === id) ?? none;
}

/** Rows of the session that the heading has in another place. */
const elsewhere = ['name', 'title', 'agent', 'workspace'];

/** Draws the top of the page: the session's name, when it compacts, how full it is, and the actions. */
export function heading(state: PanelState): HTMLElement {
  const { outdated, allowance, can } = state;
  const window = sectionOf(state, 'window').rows;
  const [usage, until] = ['usage', 'until'].map((id) => window.find((row) => row.id === id));
  const tone = usage?.tone ?? 'ok';
  const dim = outdated !== '' || state.dim;
  const standing = sectionOf(state, 'session').rows.filter(({ id }) => !elsewhere.includes(id));
  const shown: Record<PanelAct, boolean> = {
    handover: true,
    compact: can.compact,
    transcript: can.transcript,
    copy: true,
    pick: true,
  };
  return el(
    'header',
    { class: dim ? 'dim' : `level-${tone}` },
    el('p', { class: 'name' }, state.name),
    el('h1', { class: 'level lead' }, ...(dim ? [] : sign(tone)), el('span', {}, until?.value ?? usage?.value ?? '')),
    ...(outdated ? [el('p', { class: 'outdated' }, outdated)] : []),
    el('p', { class: 'quiet standing' }, standing.map(({ value }) => value).join(' · ')),
    el('p', { class: 'numbers' }, el('strong', {}, usage?.value ?? ''), usage?.note ? ` ${usage.note}` : ''),
    ...window
      .filter((row) => !['usage', 'until', 'full'].includes(row.id))
      .map(({ value }) => el('p', { class: 'quiet' }, value)),
    ...(allowance ? [el('p', { class: 'quiet allowance' }, allowance)] : []),
    el('div', { class: 'actions' }, ...panelActs.filter((act) => shown[act]).map((act) => button(act, can))),
  );
}

function button(act: PanelAct, can: PanelState['can']): HTMLElement {
  return el('button', { type: 'button', 'data-act': act, id: `act-${act}` }, actWord(act, can));
}

/**
 * Returns the text of a button. A handover note is written from a transcript; without one, only facts can be copied.
 */
function actWord(act: PanelAct, can: PanelState['can']): string {
  return word(act === 'handover' && can.transcript ? 'handOver' : act);
}

/**
 * Draws the symbol of the levels `now` and `over`, because a color alone is not visible in high-contrast themes. It is
 * drawn, because a system may lack a font for it.
 */
function sign(tone: string): Node[] {
  if (tone !== 'now' && tone !== 'over') {
    return [];
  }
  const drawing = svg('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' });
  drawing.append(
    svg('circle', { cx: 8, cy: 8, r: 6.5 }),
    svg('line', { x1: 8, x2: 8, y1: 4.5, y2: 8.8 }),
    svg('line', { x1: 8, x2: 8, y1: 11, y2: 11.3 }),
  );
  return [drawing];
}

/** Shows the vocabulary that the daemon offers, with buttons for both replies. */
export function offer(sentence: string): HTMLElement[] {
  if (!sentence) {
    return [];
  }
  const answer = (fetch: boolean): HTMLElement =>
    el('button', { type: 'button', 'data-fetch': String(fetch) }, word(fetch ? 'fetch' : 'noFetch'));
  const actions = el('div', { class: 'actions' }, answer(true), answer(false));
  return [section('offer', word('exactCounts'), el('p', {}, sentence), actions)];
}

/** Returns the classes that color each row: by its kind and, if shaded, by its position among rows of the same kind. */
function looksOf(rows: readonly ShownRow[], shaded: boolean): Map<ShownRow, string> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const kind = row.kind ?? '';
      const nth = seen.get(kind) ?? 0;
      seen.set(kind, nth + 1);
      const name = kind ? `kind-${kind.replace(/[^a-zA-Z]/g, '')}` : row.id;
      return [row, nth === 0 || !kind || !shaded ? name : `${name} shade-${Math.min(nth, 3)}`];
    }),
  );
}

/** Draws the content of the window as a stacked bar with the compaction threshold, and as a table. */
export function contents(state: PanelState): HTMLElement {
  const { id, title, rows } = sectionOf(state, 'contents');
  const looks = looksOf(rows, true);
  const parts = rows.filter((row) => row.kind && row.share);
  const named = parts.map((row) => `${row.label} ${row.value}`);
  const drawn = el('div', { class: 'bar', role: 'img', 'aria-label': `${title}: ${named.join(', ')}` });
  for (const row of [...parts, ...rows.filter((row) => ['free', 'left'].includes(row.id) && row.share)]) {
    const title = `${row.label}: ${row.value}`;
    const piece = el('div', { class: `piece ${row.kind ? looks.get(row) : 'free'}`, title });
    piece.style.flexGrow = String(row.share);
    drawn.append(piece);
  }
  const frame = el('div', { class: 'bar-frame' }, drawn);
  const window = sectionOf(state, 'window').rows.find((row) => row.id === 'usage');
  const whole = parts.reduce((sum, { share }) => sum + (share ?? 0), 0);
  const mark = window?.mark ?? null;
  if (mark !== null && mark < 100 && whole <= 100) {
    // What is held back beyond the threshold belongs to no row.
    const rest = el('div', { class: 'piece reserve' });
    rest.style.flexGrow = String(100 - Math.max(mark, whole));
    drawn.append(rest);
    const line = el('div', { class: 'bar-line' });
    line.style.insetInlineStart = `${mark}%`;
    frame.append(line);
  }
  return section(id || 'contents', title, ...(parts.length > 0 ? [frame] : []), numbers(rows, looks, false));
}

/** Draws rows with numbers: their names, their tokens above a bar, and their shares of the window. */
function numbers(rows: readonly ShownRow[], looks: ReadonlyMap<ShownRow, string>, canOpen: boolean): HTMLElement {
  return table(
    null,
    rows.map((row) => {
      const swatch = row.kind ? [el('span', { class: `swatch ${looks.get(row)}`, 'aria-hidden': 'true' })] : [];
      const note = row.note ? [' ', el('small', {}, row.note)] : [];
      const length = el('span', { class: `share ${looks.get(row)}`, 'aria-hidden': 'true' });
      length.style.width = `${row.bar ?? 0}%`;
      return [
        el('span', { class: `tone-${row.tone ?? 'plain'}` }, ...swatch, opening(row, row.label, canOpen), ...note),
        el('span', { class: 'shared' }, row.value, ...(row.bar ? [length] : [])),
        percent(row.share ?? null),
      ];
    }),
  );
}

/** Draws a text as a button if its row opens a line of the transcript or a session. */
function opening({ place, session }: ShownRow, text: string, canOpen: boolean): HTMLElement | string {
  if (typeof place === 'number' && canOpen) {
    const line = String(place);
    return el('button', { type: 'button', class: 'link', 'data-place': line, title: word('openPlace', line) }, text);
  }
  return session ? el('button', { type: 'button', class: 'link', 'data-session': session }, text) : text;
}

/** The sections that are collapsed until the user opens them. */
const collapsed = ['numbers'];

/** Draws a section; nothing if the panel does not have it. */
export function drawn(state: PanelState, id: string): HTMLElement[] {
  const { title, rows } = sectionOf(state, id);
  if (rows.length === 0) {
    return [];
  }
  const content = id === 'largest' ? numbers(rows, looksOf(rows, false), state.can.place) : facts(rows, state.can);
  return [(collapsed.includes(id) ? folded : section)(id, title, content)];
}

/** Lists rows with sentences, each with a button if this extension can help with it. */
function facts(rows: readonly ShownRow[], can: PanelState['can']): HTMLElement {
  const doing: Record<string, PanelAct | undefined> = {
    compact: can.compact ? 'compact' : undefined,
    newSession: 'handover',
  };
  let last = '';
  const entries = rows.map((row) => {
    const label = row.label && row.label !== last ? [el('b', {}, opening(row, row.label, can.place)), ' '] : [];
    last = row.label || last;
    const entry = el('li', { class: `tone-${row.tone ?? 'plain'}`, 'data-row': row.id }, ...label, row.value);
    entry.style.marginInlineStart = `${row.depth ?? 0}em`;
    entry.append(...(row.note ? [' ', el('small', {}, row.note)] : []));
    const act = row.action === undefined ? undefined : doing[row.action];
    if (act) {
      entry.append(el('div', {}, el('button', { type: 'button', 'data-act': act }, actWord(act, can))));
    }
    return entry;
  });
  return el('ul', { class: 'facts' }, ...entries);
}
