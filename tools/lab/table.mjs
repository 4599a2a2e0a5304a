// Copyright The ctx-lsp authors. MIT licence.

// The table of a run: a line for each agent, and its failures below.

import { sightCells, sightHeads } from './sightjudge.mjs';
import { cell } from './turning.mjs';

const heads = [
  'agent',
  'version',
  'requests',
  'found',
  'median',
  'worst',
  'in range',
  'estimated: median, worst',
  'replay p95',
  'system',
  'tools',
  'MCP',
  'memory',
  'threshold: shown, happened',
];

const share = (part, whole) => (whole > 0 ? `${part}/${whole}` : '-');
const percent = ({ off, actual }) =>
  actual ? `${off >= 0 ? '+' : ''}${((100 * off) / actual).toFixed(1)}%` : `+${off}`;

function cells({ name, version, numbers }) {
  const bySize = (list) => [...list].sort((a, b) => Math.abs(a) - Math.abs(b));
  const errors = bySize(numbers.errors);
  const estimates = bySize(numbers.estimates);
  const row = (kind) => {
    const own = numbers.rows?.[kind];
    if (own) return percent(own);
    return numbers.unnamed?.includes(kind) ? 'no row' : '-';
  };
  const { threshold, low, high } = numbers.threshold ?? {};
  return [
    name,
    version,
    String(numbers.requests),
    share(numbers.found, numbers.found + numbers.missed),
    errors.length ? String(errors[errors.length >> 1]) : '-',
    errors.length ? String(errors.at(-1)) : '-',
    share(numbers.covered, errors.length),
    estimates.length ? `${estimates[estimates.length >> 1]}, ${estimates.at(-1)}` : '-',
    numbers.tool === undefined ? '-' : `${(100 * numbers.tool).toFixed(2)}%`,
    ...['system', 'tools', 'mcpTools', 'memory'].map(row),
    numbers.threshold ? `${threshold ?? '-'}, ${low} to ${high}` : '-',
  ];
}

/** Returns lines of cells as a table in Markdown, aligned. */
function aligned(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const text = lines.map((line) => `| ${line.map((each, at) => each.padEnd(widths[at])).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return text;
}

/**
 * Returns the table of turning points: wrong pictures of compared requests, and the worst error without a mark, by
 * agent and phase. The last columns are rates of the agent: needless marks at steady steps, first numbers in their
 * range, and the mean interval score.
 */
export function points(results) {
  const ran = results.filter((each) => each.turned);
  const names = [...new Set(ran.flatMap((each) => each.turned.map(({ phase }) => phase)))];
  const rows = ran.map(({ name, version, turned, rates }) => {
    const of = (phase) => turned.find((each) => each.phase === phase);
    const measured = turned.reduce((sum, { numbers }) => sum + numbers.compared - numbers.firsts, 0);
    const score = turned.reduce((sum, { numbers }) => sum + numbers.score, 0);
    return [
      `${name} ${version}`,
      ...names.map((phase) => (of(phase) ? cell(of(phase).numbers) : '-')),
      share(rates.needless, rates.steps),
      share(rates.covered, rates.firsts),
      measured ? (score / measured).toFixed(3) : '-',
    ];
  });
  return `${aligned([['agent', ...names, 'needless marks', 'first in range', 'interval score'], ...rows]).join('\n')}\n`;
}

/** Returns the table as Markdown, aligned so that a terminal shows it, too. */
export function table(results) {
  const lines = [heads, ...results.map(cells)];
  const text = aligned(lines);
  for (const { name, failures } of results) for (const failure of failures) text.push('', `- ${name}: ${failure}`);
  for (const { name, news } of results) for (const each of news ?? []) text.push('', `- ${name}: note: ${each}`);
  return `${text.join('\n')}\n`;
}

/** Returns the table of sight lines: precision and recall of each state, by agent. */
export function sightLines(results) {
  const ran = results.filter((each) => each.sight);
  const rows = ran.map(({ name, version, sight }) => [`${name} ${version}`, ...sightCells(sight)]);
  return rows.length > 0 ? `${aligned([['agent', ...sightHeads], ...rows]).join('\n')}\n` : '';
}
