// Copyright The ctx-lsp authors. MIT licence.

// A session as the page shows it. The Reading contains all results; the only arithmetic here is for drawing.

import { agents, proofs } from './agents.js';
import { course } from './curve.js';
import { limits } from './limits.js';
import { cell, el, exact, mark, moment, row, share, svg, table } from './page.js';

export const nameOf = (agent) => agents[agent] ?? agent;

/** Draws a session: what it is, the content of its window, its history, and the basis of the numbers. */
export function session({ reading, history, records, skipped }, file) {
  return [
    ...heading(reading, file, records, skipped),
    ...filling(reading),
    ...largest(reading),
    ...path(history),
    ...basis(reading),
    whole(reading),
  ];
}

function heading(reading, file, records, skipped) {
  const { display, compaction } = reading;
  const known = reading.limit !== null;
  const number = known ? `${display.mark}${display.percent}` : `${mark(reading.basis)}${exact(reading.used)} tokens`;
  const line = compaction.threshold === null ? 'The compaction threshold is unknown.' : ofThreshold(compaction);
  const what = [
    nameOf(reading.agent),
    reading.agentVersion,
    reading.model,
    reading.branch && `branch ${reading.branch}`,
    moment(reading.asOf),
  ];
  return [
    el('h3', { id: 'named', tabindex: -1 }, reading.title || file),
    el('p', { class: 'quiet' }, what.filter(Boolean).join(' · ')),
    el(
      'p',
      { class: `headline level-${compaction.level}` },
      el('strong', {}, number),
      known ? ` ${display.used} of ${display.limit} tokens. ` : ' ',
      line,
      compaction.hint.text && ` (${compaction.hint.text})`,
    ),
    bar(reading),
    el(
      'p',
      { class: 'quiet' },
      `${exact(records)} records were read`,
      skipped > 0 ? `, ${exact(skipped)} of them could not be` : '',
      '.',
    ),
    ...(reading.warnings.length > 0
      ? [el('ul', { class: 'warnings' }, ...reading.warnings.map((w) => el('li', {}, w.text)))]
      : []),
  ];
}

function ofThreshold({ threshold, left, percent }) {
  return left >= 0
    ? `It will be compacted at ${exact(threshold)}, ${exact(left)} from here: ${share(percent)} of the threshold.`
    : `It is ${exact(-left)} past the compaction threshold of ${exact(threshold)}.`;
}

/** Draws the window as a bar: the rows one after the other, and the compaction threshold. */
function bar({ breakdown, limit, used, compaction }) {
  const rows = breakdown.filter((r) => !r.deferred);
  const top = Math.max(limit ?? 0, used, compaction.threshold ?? 0, 1);
  const drawing = svg('svg', {
    class: 'bar',
    viewBox: `0 0 ${top} 10`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `Content of the window: ${rows.map((r) => `${r.label.text} ${mark(r.basis)}${exact(r.tokens)}`).join(', ')}`,
  });
  let at = 0;
  for (const r of rows) {
    drawing.append(
      svg(
        'rect',
        { class: `kind-${r.kind}`, x: at, y: 1, width: Math.max(r.tokens, 0), height: 8 },
        svg('title', {}, r.label.text),
      ),
    );
    at += Math.max(r.tokens, 0);
  }
  if (compaction.threshold !== null) {
    drawing.append(
      svg('line', { class: 'compaction', x1: compaction.threshold, x2: compaction.threshold, y1: 0, y2: 10 }),
    );
  }
  return drawing;
}

function filling(reading) {
  const rows = reading.breakdown.map((r) =>
    row(
      el('th', { scope: 'row' }, swatch(r.kind), r.label.text, r.deferred ? ' (listed, not loaded yet)' : ''),
      cell(`${mark(r.basis)}${exact(r.tokens)}`, 'number'),
      cell(share(r.share), 'number'),
      cell(length(r.kind, r.bar), 'length'),
      cell(r.basis),
    ),
  );
  const sum = (name, tokens, part) =>
    row(el('th', { scope: 'row' }, name), cell(tokens, 'number'), cell(part, 'number'), cell(''), cell(''));
  rows.push(sum('Used', `${mark(reading.basis)}${exact(reading.used)}`, share(reading.percent)));
  if (reading.free !== null) rows.push(sum('Free', exact(reading.free), share(reading.freeShare)));
  if (reading.compaction.buffer > 0)
    rows.push(
      sum(
        'including space after the threshold',
        exact(reading.compaction.buffer),
        share(reading.compaction.bufferShare),
      ),
    );
  if (reading.limit !== null) rows.push(sum(`Window, ${limits[reading.limitSource]}`, exact(reading.limit), ''));
  return [table('Contents', ['part', 'tokens', 'of the window', '', 'basis'], rows)];
}

const swatch = (kind) =>
  svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 10 10', 'aria-hidden': 'true' },
    svg('rect', { class: `kind-${kind}`, width: 10, height: 10 }),
  );

const length = (kind, percent) =>
  svg(
    'svg',
    { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: `kind-${kind}`, width: percent, height: 10 }),
  );

function largest({ largest: items }) {
  if (items.length === 0) return [];
  const rows = items.map((i) =>
    row(
      el('th', { scope: 'row' }, swatch(i.kind), i.label.text),
      cell(i.times > 1 ? `${exact(i.times)} times` : ''),
      cell(`${mark(i.basis)}${exact(i.tokens)}`, 'number'),
      cell(i.place === null ? '' : exact(i.place), 'number'),
    ),
  );
  return [table('The largest things in it', ['name', '', 'tokens', 'line of the file'], rows)];
}

const path = (history) => [el('h3', {}, 'The size of the prompt, request by request'), ...course(history)];

/** Lists the parts of the number, and how far such numbers were off in this session. */
function basis(reading) {
  const { lastRequest, leaving, accuracy, spent } = reading;
  const facts = [
    [
      'The number',
      `${exact(reading.used)} tokens, between ${exact(reading.range.low)} and ${exact(reading.range.high)} nine times of ten: ${reading.basis}.`,
    ],
  ];
  if (lastRequest) {
    const leaves = leaving.tokens > 0 ? ` less ${exact(leaving.tokens)} that will not be sent again` : '';
    facts.push([
      'It is',
      `the last prompt ${exact(lastRequest.in)}${leaves}, the answer to it ${mark(lastRequest.carryBasis)}${exact(lastRequest.carry)}, and ${mark(reading.new.basis)}${exact(reading.new.tokens)} that came since.`,
    ]);
  }
  if (accuracy.medianTokens !== null) {
    facts.push([
      'Predictions',
      `were off by ${exact(accuracy.medianTokens)} tokens in the median of ${exact(accuracy.steps)} requests of this session, by at most ${exact(accuracy.p95Tokens)} in 95 of 100.`,
    ]);
  }
  if (reading.compaction.rule)
    facts.push([
      'Threshold',
      `by the rule ${reading.compaction.rule}, since ${reading.compaction.since}: ${reading.compaction.source}.`,
    ]);
  const own = reading.agentOwn;
  if (own?.label) facts.push(['The agent prints', `${own.percent}%, ${own.label.text}.`]);
  if (spent.calls > 0)
    facts.push([
      'Spent',
      `${exact(spent.in)} tokens in and ${exact(spent.out)} out, over ${exact(spent.calls)} requests. This is not what fills the window.`,
    ]);
  if (reading.children.length > 0) {
    facts.push(['Sub-agents', reading.children.map((c) => `${c.label || c.session}: ${c.display.used}`).join(', ')]);
  }
  if (proofs[reading.agent]) facts.push(['The reader', `${nameOf(reading.agent)}: ${proofs[reading.agent]}.`]);
  facts.push([
    'Not known here',
    "your machine's settings of the agent, the memory files that it loads, and what earlier sessions have taught. The program knows them.",
  ]);
  return [
    el('h3', {}, 'What the number rests on'),
    el('dl', {}, ...facts.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
  ];
}

const whole = (reading) =>
  el(
    'details',
    {},
    el('summary', {}, 'The same for programs'),
    el('p', { class: 'quiet' }, 'What `ctx-lsp status --json` prints of this file.'),
    el('pre', { tabindex: 0, id: 'json' }, JSON.stringify(reading, null, 2)),
  );
