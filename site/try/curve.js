// Copyright The ctx-lsp authors. MIT licence.

// The history of a session: the size of each prompt, the window, the compaction threshold, and what compactions
// removed.

import { cell, el, exact, moment, row, share, svg, table } from './page.js';

const width = 720;
const height = 240;

/** Returns the chart with its scale, and the same data as tables. */
export function course(history) {
  const { points, compactions, threshold, limit } = history;
  if (points.length === 0) {
    return [el('p', { class: 'quiet' }, 'No request of this session was measured, so there is no chart.')];
  }
  const first = points[0].call;
  const last = Math.max(points.at(-1).call, first + 1);
  const falls = compactions.flatMap((c) => [c.before ?? 0, c.after ?? 0]);
  const top =
    [limit ?? 0, threshold ?? 0, ...points.map((p) => p.used), ...falls].reduce((a, b) => Math.max(a, b), 1) * 1.04;
  const x = (call) => ((call - first) / (last - first)) * width;
  const y = (tokens) => height - (tokens / top) * height;
  const drawing = svg('svg', {
    viewBox: `-4 -4 ${width + 8} ${height + 8}`,
    role: 'img',
    'aria-label': spoken(history),
  });
  const path = points.map((p) => `${x(p.call).toFixed(1)},${y(p.used).toFixed(1)}`).join(' ');
  drawing.append(
    svg('polygon', { class: 'area', points: `0,${height} ${path} ${x(points.at(-1).call).toFixed(1)},${height}` }),
    svg('polyline', { class: 'course', points: path }),
  );
  if (points.length < 60) {
    drawing.append(...points.map((p) => svg('circle', { class: 'point', cx: x(p.call), cy: y(p.used), r: 3 })));
  }
  for (const c of compactions) {
    const at = x(Math.max(c.call, first));
    drawing.append(svg('line', { class: 'fall', x1: at, x2: at, y1: y(c.before ?? top), y2: y(c.after ?? 0) }));
  }
  const levels = [
    { at: limit, name: 'window', kind: 'limit' },
    { at: threshold, name: 'threshold', kind: 'compaction' },
  ].filter((level) => level.at !== null && level.at !== undefined);
  for (const { at, kind } of levels) {
    drawing.append(svg('line', { class: kind, x1: 0, x2: width, y1: y(at), y2: y(at) }));
  }
  const keys = levels.flatMap(({ at, name, kind }) => [
    el('span', { class: `key ${kind}` }),
    ` ${name} ${exact(at)}  `,
  ]);
  if (compactions.length > 0) keys.push(el('span', { class: 'key fall' }), ' compaction');
  return [
    el('div', { class: 'curve' }, drawing),
    el(
      'p',
      { class: 'ends quiet' },
      el('span', {}, `request ${exact(first)}`),
      el('span', {}, `request ${exact(points.at(-1).call)}`),
    ),
    el('p', { class: 'quiet' }, ...keys),
    ...falling(compactions),
    requests(points),
  ];
}

/** Describes the chart in a sentence, for screen readers. */
function spoken({ points, compactions, threshold, limit }) {
  const end = points.at(-1);
  const most = points.reduce((a, b) => Math.max(a, b.used), 0);
  return [
    `The size of the prompt over ${exact(end.call)} requests: first ${exact(points[0].used)}, at most ${exact(most)}, last ${exact(end.used)} tokens`,
    threshold === null ? 'no compaction threshold is known' : `compaction threshold ${exact(threshold)}`,
    limit === null ? 'the window is not known' : `window of ${exact(limit)}`,
    compactions.length === 1 ? 'one compaction' : `${compactions.length} compactions`,
  ].join('; ');
}

function falling(compactions) {
  if (compactions.length === 0) return [el('p', {}, 'This session was never compacted.')];
  const rows = compactions.map((c) =>
    row(
      cell(exact(c.call), 'number'),
      cell(moment(c.at)),
      cell(exact(c.before), 'number'),
      cell(exact(c.after), 'number'),
      cell(c.trigger === 'auto' ? 'by the agent' : 'by the person'),
    ),
  );
  return [table('Compactions', ['after request', 'when', 'before', 'after', 'asked for'], rows)];
}

function requests(points) {
  const rows = points.map((p) =>
    row(
      cell(exact(p.call), 'number'),
      cell(moment(p.at)),
      cell(exact(p.used), 'number'),
      cell(share(p.percent), 'number'),
    ),
  );
  const details = el('details', {}, el('summary', {}, `The size of each prompt (${exact(points.length)} requests)`));
  // Two thousand rows are added only for users who open the table.
  details.addEventListener(
    'toggle',
    () => details.append(table('Measured by the provider', ['request', 'when', 'tokens', 'of the window'], rows)),
    { once: true },
  );
  return details;
}
