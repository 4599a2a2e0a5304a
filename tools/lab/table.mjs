// Copyright The ctx-lsp authors. MIT licence.

// The table of a run: a line for each agent, and its failures below.

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
  const { line, low, high } = numbers.threshold ?? {};
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
    numbers.threshold ? `${line ?? '-'}, ${low} to ${high}` : '-',
  ];
}

/** Returns the table as Markdown, aligned so that a terminal shows it, too. */
export function table(results) {
  const lines = [heads, ...results.map(cells)];
  const widths = heads.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const text = lines.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const { name, failures } of results) for (const failure of failures) text.push('', `- ${name}: ${failure}`);
  return `${text.join('\n')}\n`;
}
