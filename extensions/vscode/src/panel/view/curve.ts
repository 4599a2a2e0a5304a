// Copyright The ctx-lsp authors. MIT licence.

import type { History } from '../../../api/protocol';
import { el, section, svg } from './dom';
import { exact, word } from './language';

/**
 * The course of the session. The drawing is in tokens and request numbers, and the browser scales it: an SVG whose
 * coordinates are the data. Arrow keys move a cursor along the points.
 */
export function curve(history: History | null): HTMLElement {
  const points = history?.points ?? [];
  const last = points.at(-1);
  if (!history || !last) {
    return section('curve', word('curve'), el('p', { class: 'quiet' }, word('curveEmpty')));
  }
  const first = points[0]?.call ?? 0;
  const top = Math.max(history.limit ?? 0, history.line ?? 0, ...points.map((p) => p.used), 1);
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
  level(history.limit, 'limit');
  level(history.line, 'compaction');
  for (const c of history.compactions) {
    upright.append(svg('line', { class: 'fall', x1: c.call, x2: c.call, y1: c.before ?? top, y2: c.after ?? 0 }));
  }
  const cursor = svg('line', { class: 'cursor', x1: last.call, x2: last.call, y1: 0, y2: top });
  upright.append(cursor);
  drawing.append(upright);

  const said = el('output', { class: 'quiet', 'aria-live': 'polite' });
  let at = points.length - 1;
  const moveTo = (index: number): void => {
    at = Math.min(Math.max(index, 0), points.length - 1);
    const p = points[at];
    if (p) {
      cursor.setAttribute('x1', String(p.call));
      cursor.setAttribute('x2', String(p.call));
      const fell = history.compactions
        .filter((c) => c.call === p.call)
        .map((c) => word('compacted', exact(c.before), exact(c.after)));
      said.textContent = [`${word('call', exact(p.call))}: ${exact(p.used)}`, ...fell].join(' · ');
    }
  };
  moveTo(at);
  const frame = el('div', {
    class: 'curve',
    tabindex: '0',
    role: 'slider',
    'aria-label': `${word('curve')}. ${word('curveHelp')}`,
    'aria-valuemin': '0',
    'aria-valuemax': String(points.length - 1),
    'aria-valuenow': String(at),
  });
  frame.append(drawing as unknown as Node);
  frame.addEventListener('keydown', (event) => {
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: points.length - 1,
      PageUp: at - 10,
      PageDown: at + 10,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      moveTo(to);
      frame.setAttribute('aria-valuenow', String(at));
      frame.setAttribute('aria-valuetext', said.textContent ?? '');
    }
  });
  frame.addEventListener('pointermove', (event) => {
    const box = frame.getBoundingClientRect();
    moveTo(Math.round(((event.clientX - box.left) / box.width) * (points.length - 1)));
  });
  const legend = el(
    'p',
    { class: 'legend' },
    el('span', { class: 'key compaction' }),
    `${word('line')}: ${exact(history.line)}  `,
    el('span', { class: 'key limit' }),
    `${word('limit')}: ${exact(history.limit)}`,
  );
  return section('curve', word('curve'), frame, said, legend);
}
