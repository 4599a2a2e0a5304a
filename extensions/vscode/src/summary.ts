// Copyright The ctx-lsp authors. MIT licence.

import type { Items, Reading } from '../api/protocol';
import { agentName } from './agents';
import { fullName } from './names';
import {
  basisWords,
  exact,
  levelWords,
  limitSourceWords,
  mark,
  missSentence,
  requestSentence,
  roomSentence,
  unmeasured,
} from './words';

/** A Reading as plain text for the clipboard: numbers and labels, and nothing of the conversation. */
export function numbers(reading: Reading): string {
  const { compaction: c, display: d } = reading;
  const who = [agentName(reading.agent), reading.model].filter(Boolean).join(', ');
  const lines = [
    `Context window of ${who || 'a session'}`,
    `Used: ${d.mark}${exact(reading.used)}${reading.limit === null ? '' : ` of ${exact(reading.limit)} tokens (${d.percent})`}, ${unmeasured(reading) || basisWords(reading.basis)}`,
    `Window: ${limitSourceWords(reading.limitSource)}`,
    ...[requestSentence(reading), missSentence(reading), roomSentence(reading)].filter(Boolean),
  ];
  if (c.line !== null) {
    lines.push(
      c.level === 'over'
        ? `The line of ${exact(c.line)} is passed (${levelWords(c.level)}; rule ${c.rule})`
        : `To compaction: ${d.left} of ${exact(c.line)} (${levelWords(c.level)}; rule ${c.rule})`,
    );
  }
  for (const part of reading.breakdown) {
    lines.push(`  ${part.label}: ${mark(part.basis)}${exact(part.tokens)}`);
  }
  for (const advice of reading.advice) {
    lines.push(`Advice: ${advice.label}${advice.how ? ` (${advice.how})` : ''}, frees ${exact(advice.tokens)} tokens`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The facts of a session for whoever continues it elsewhere: its name, where it works, its largest items, and where its
 * transcript lies. It does not say what was said.
 */
export function handover(reading: Reading, items: Items | undefined): string {
  const lines = [`Session: ${fullName(reading)} (${reading.session})`];
  const add = (what: string, value: string | undefined): void => {
    if (value) {
      lines.push(`${what}: ${value}`);
    }
  };
  add('Folder', reading.workspace);
  add('Branch', reading.branch);
  add('Transcript', reading.file);
  const largest = (items?.items ?? []).slice(0, 12);
  if (largest.length > 0) {
    lines.push('Largest in its window:');
    for (const i of largest) {
      lines.push(`  ${i.label || i.kind}: ${mark(i.basis)}${exact(i.tokens)}`);
    }
  }
  return `${lines.join('\n')}\n\n${numbers(reading)}`;
}
