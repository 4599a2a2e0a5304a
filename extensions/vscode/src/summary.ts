// Copyright The ctx-lsp authors. MIT licence.

import { agentName } from './agents';
import type { Reading } from '../api/protocol';
import { basisWords, exact, levelWords, limitSourceWords, mark } from './words';

/** A Reading as plain text for the clipboard: numbers and labels, nothing of the conversation. */
export function summary(reading: Reading): string {
  const { compaction: c, display: d } = reading;
  const who = [agentName(reading.agent), reading.model].filter(Boolean).join(', ');
  const lines = [
    `Context window of ${who || 'a session'}`,
    `Used: ${d.mark}${exact(reading.used)}${reading.limit === null ? '' : ` of ${exact(reading.limit)} tokens (${d.percent})`}, ${basisWords(reading.basis)}`,
    `Window: ${limitSourceWords(reading.limitSource)}`,
  ];
  if (c.line !== null) {
    lines.push(`To compaction: ${d.left} of ${exact(c.line)} (${levelWords(c.level)}; rule ${c.rule})`);
  }
  for (const part of reading.breakdown) {
    lines.push(`  ${part.label}: ${mark(part.basis)}${exact(part.tokens)}`);
  }
  for (const advice of reading.advice) {
    lines.push(`Advice: ${advice.label}${advice.how ? ` (${advice.how})` : ''}, frees ${exact(advice.tokens)} tokens`);
  }
  return `${lines.join('\n')}\n`;
}
