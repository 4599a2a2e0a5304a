// Copyright The ctx-lsp authors. MIT licence.

import type { History } from '../../../api/protocol';
import { el, section, svg } from './dom';
import { dayOf, exact, moment, word } from './language';

/**
 * The usage chart of the session. The coordinates of the SVG are tokens and request numbers, and the browser scales
 * them. Arrow keys and the pointer move a cursor along the points. It stays at the last point until it is moved; after
 * that it stays at its request when others follow.
 */
export class Curve {
  private history: History | null = null;
  /** The request of the cursor; undefined while it stays at the last one. */
  private call: number | undefined;

  constructor(private readonly root: HTMLElement) {
    root.addEventListener('keydown', (event) => {
      if ((event.target as Element).closest('.curve')) {
        this.key(event);
      }
    });
    root.addEventListener('pointermove', (event) => {
      const frame = (event.target as Element).closest('.curve');
      if (frame) {
        const box = frame.getBoundingClientRect();
        this.moveTo(Math.round(((event.clientX - box.left) / box.width) * (this.points.length - 1)));
      }
    });
  }

  /** Resets the cursor, because another session is shown. */
  reset(): void {
    this.call = undefined;
  }

  /** Draws the chart; {@link mark} sets the cursor once it is on the page. */
  draw(history: History | null): HTMLElement {
    this.history = history;
    const { points } = this;
    const last = points.at(-1);
    if (!history || !last) {
      return section('curve', word('curve'), el('p', { class: 'quiet' }, word('curveEmpty')));
    }
    const first = points[0]?.call ?? 0;
    const top = topOf(history);
    const right = Math.max(last.call, first + 1);
    const drawing = svg('svg', {
      viewBox: `${first} 0 ${right - first} ${top}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    });
    const upright = svg('g', { transform: `matrix(1 0 0 -1 0 ${top})` });
    const level = (at: number | null, kind: string): void => {
      if (at !== null) {
        upright.append(svg('line', { class: kind, x1: first, x2: right, y1: at, y2: at }));
      }
    };
    const path = points.map((p) => `${p.call},${p.used}`).join(' ');
    upright.append(
      svg('polygon', { class: 'area', points: `${first},0 ${path} ${last.call},0` }),
      svg('polyline', { class: 'course', points: path }),
    );
    if (points.length === 1) {
      // A line with one point has no length, so a dot is drawn there.
      upright.append(svg('line', { class: 'course dot', x1: first, x2: first, y1: last.used, y2: last.used }));
    }
    level(history.limit, 'limit');
    level(history.threshold, 'compaction');
    for (const c of history.compactions) {
      upright.append(svg('line', { class: 'fall', x1: c.call, x2: c.call, y1: c.before ?? top, y2: c.after ?? 0 }));
    }
    for (const b of brokenAlone(history)) {
      // A line without length is drawn as a dot of the same size at every scale.
      upright.append(svg('line', { class: 'broke', x1: b.call, x2: b.call, y1: 0, y2: 0 }));
    }
    upright.append(svg('line', { class: 'cursor', x1: last.call, x2: last.call, y1: 0, y2: top }));
    drawing.append(upright);
    const frame = el('div', {
      class: 'curve',
      tabindex: '0',
      role: 'slider',
      'aria-label': `${word('curve')}. ${word('curveHelp')}`,
      'aria-valuemin': '0',
      'aria-valuemax': String(points.length - 1),
      'aria-valuenow': String(this.index),
      'aria-valuetext': this.valueText(),
    });
    frame.append(drawing as unknown as Node);
    frame.append(...levelTicks(history, top));
    const legend = el(
      'p',
      { class: 'legend' },
      el('span', { class: 'key compaction' }),
      `${word('threshold')}: ${exact(history.threshold)}  `,
      el('span', { class: 'key limit' }),
      `${word('limit')}: ${exact(history.limit)}`,
      ...(brokenAlone(history).length > 0 ? ['  ', el('span', { class: 'key broke' }), word('cacheBreak')] : []),
    );
    const output = el('output', { class: 'quiet', 'aria-live': 'off' }, this.valueText());
    return section('curve', word('curve'), frame, timeTicks(points, first, right), output, legend, ...falls(history));
  }

  /** Moves the cursor to its point, and updates the text about it. */
  mark(): void {
    const point = this.points[this.index];
    const frame = this.root.querySelector('.curve');
    if (!point || !frame) {
      return;
    }
    const cursor = frame.querySelector('.cursor');
    cursor?.setAttribute('x1', String(point.call));
    cursor?.setAttribute('x2', String(point.call));
    const text = this.valueText();
    frame.setAttribute('aria-valuenow', String(this.index));
    frame.setAttribute('aria-valuetext', text);
    const output = this.root.querySelector('#curve output');
    if (output && output.textContent !== text) {
      output.textContent = text;
    }
  }

  private get points(): History['points'] {
    return this.history?.points ?? [];
  }

  private get index(): number {
    const { call, points } = this;
    const at = call === undefined ? -1 : points.findIndex((p) => p.call >= call);
    return at < 0 ? points.length - 1 : at;
  }

  private valueText(): string {
    const point = this.points[this.index];
    if (!point) {
      return '';
    }
    const fell = (this.history?.compactions ?? [])
      .filter((c) => c.call === point.call)
      .map((c) => word('compacted', exact(c.before), exact(c.after)));
    const before = this.points[this.index - 1]?.call ?? 0;
    const broke = brokenAlone(this.history)
      .filter((b) => b.call > before && b.call <= point.call)
      .map((b) => b.text.text);
    return [moment(point.at), `${word('call', exact(point.call))}: ${exact(point.used)}`, ...fell, ...broke]
      .filter(Boolean)
      .join(' · ');
  }

  private moveTo(index: number): void {
    const last = this.points.length - 1;
    const at = Math.min(Math.max(index, 0), last);
    this.call = at === last ? undefined : this.points[at]?.call;
    this.mark();
  }

  private key(event: KeyboardEvent): void {
    const at = this.index;
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: this.points.length - 1,
      PageUp: at - 10,
      PageDown: at + 10,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.moveTo(to);
    }
  }
}

/** Returns the breaks of the prompt cache except those of compactions, which have a mark of their own. */
function brokenAlone(history: History | null): History['breaks'] {
  return (history?.breaks ?? []).filter((b) => b.cause !== 'compaction');
}

/** How many compactions are listed, starting from the last. */
const fallsListed = 5;

/** Returns the numbers next to the chart: zero, the compaction threshold, and the window. */
function levelTicks({ threshold, limit }: History, top: number): HTMLElement[] {
  const tick = (at: number, kind: string): HTMLElement => {
    const mark = el('span', { class: `tick ${kind}`, 'aria-hidden': 'true' }, exact(at));
    // This is only layout: the browser divides.
    mark.style.setProperty('--at', String(at));
    mark.style.setProperty('--of', String(top));
    return mark;
  };
  return [
    tick(0, 'zero'),
    ...(threshold === null ? [] : [tick(threshold, 'compaction')]),
    ...(limit === null || limit === threshold ? [] : [tick(limit, 'limit')]),
  ];
}

/**
 * Returns the times below the chart: of the first and the last request, and of each day's first request if there is
 * space.
 */
function timeTicks(points: History['points'], first: number, right: number): HTMLElement {
  const axis = el('div', { class: 'axis', 'aria-hidden': 'true' });
  const tick = (call: number, text: string, kind: string): void => {
    const mark = el('span', { class: `time ${kind}` }, text);
    mark.style.setProperty('--at', String(call - first));
    mark.style.setProperty('--of', String(right - first));
    axis.append(mark);
  };
  const [begin] = points;
  const end = points.at(-1);
  if (!begin || !end) {
    return axis;
  }
  const numbered = (point: History['points'][number]): string =>
    [moment(point.at), word('request', exact(point.call))].filter(Boolean).join(' · ');
  tick(begin.call, numbered(begin), 'first');
  const room = (right - first) / 5;
  let before = begin;
  for (const point of points) {
    const newDay = dayOf(point.at) !== dayOf(before.at);
    if (newDay && point.call - first > room && right - point.call > room) {
      tick(point.call, dayOf(point.at), 'day');
      before = point;
    }
  }
  if (end !== begin) {
    tick(end.call, numbered(end), 'last');
  }
  return axis;
}

/** Lists the last compactions, with their times and whether they were automatic. */
function falls({ compactions }: History): HTMLElement[] {
  if (compactions.length === 0) {
    return [];
  }
  const list = compactions
    .slice(-fallsListed)
    .map((c) =>
      el(
        'li',
        {},
        [
          moment(c.at),
          word('request', exact(c.call)),
          word('compacted', exact(c.before), exact(c.after)),
          word(c.trigger === 'auto' ? 'automatic' : 'manual'),
        ]
          .filter(Boolean)
          .join(' · '),
      ),
    );
  return [el('ul', { class: 'falls quiet' }, ...list)];
}

/** Returns the highest value in the chart. The usage before a compaction may be above every point and both limits. */
export function topOf(history: History): number {
  return Math.max(
    history.limit ?? 0,
    history.threshold ?? 0,
    ...history.points.map((p) => p.used),
    ...history.compactions.map((c) => Math.max(c.before ?? 0, c.after ?? 0)),
    1,
  );
}
