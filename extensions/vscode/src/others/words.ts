// Copyright The ctx-lsp authors. MIT licence.

import type { Items, Reading } from '../../api/protocol';
import { fullName } from '../names';
import { exact, leadSentence, mark } from '../words';

/** How many of the largest things are told. */
export const told = 10;

/** A session in a few lines of Markdown, for a model or a chat: how full, when it compacts, what is largest. */
export function describe(reading: Reading, items: Items | undefined): string {
  const { compaction: c, display: d } = reading;
  const lines = [
    `${fullName(reading)}: ${leadSentence(reading)}`,
    `Used: ${d.mark}${exact(reading.used)}${reading.limit === null ? '' : ` of ${exact(reading.limit)} tokens (${d.percent})`}`,
  ];
  if (c.line !== null) {
    lines.push(`Compacts at ${exact(c.line)} tokens; left: ${d.left}.`);
  }
  const largest = items?.items.slice(0, told) ?? [];
  if (largest.length > 0) {
    lines.push('', 'Largest:', ...largest.map((i) => `- ${i.label || i.kind}: ${mark(i.basis)}${exact(i.tokens)}`));
  }
  if (reading.advice.length > 0) {
    lines.push('', 'What could go:');
    for (const a of reading.advice) {
      lines.push(`- ${a.label}${a.how ? ` (${a.how})` : ''}: frees ${exact(a.tokens)} tokens`);
    }
  }
  return lines.join('\n');
}
