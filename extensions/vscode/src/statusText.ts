// Copyright The ctx-lsp authors. MIT licence.

import type { Level, Reading } from '../api/protocol';
import { agentName } from './agents';
import type { Format } from './config';
import { activityWords, isDim, nameOf } from './names';

/** The words of the status text that are translated. */
export interface Words {
  left: string;
  toCompact: string;
  ofCompaction: string;
  leftToCompact: string;
  free: string;
  due: string;
}

const templates: Record<Exclude<Format, 'custom'>, string[]> = {
  usedAndLeft: [
    'ctx {mark}{percent} · {left} {toCompact}',
    'ctx {mark}{percent} · {free} {freeWord}',
    'ctx {mark}{percent}',
    'ctx {mark}{used}',
  ],
  windowUsed: ['ctx {mark}{percent}', 'ctx {mark}{used}'],
  windowLeft: ['ctx {mark}{percentLeft} {leftWord}', 'ctx {mark}{used}'],
  compactionUsed: ['ctx {mark}{linePercent} {ofCompaction}', 'ctx {mark}{percent}', 'ctx {mark}{used}'],
  compactionLeft: [
    'ctx {mark}{linePercentLeft} {leftToCompact}',
    'ctx {mark}{percentLeft} {leftWord}',
    'ctx {mark}{used}',
  ],
  tokens: ['ctx {mark}{used} / {limit}', 'ctx {mark}{used}'],
  bar: ['ctx {bar} {mark}{percent}', 'ctx {mark}{percent}', 'ctx {mark}{used}'],
};

/** The placeholders that a template may name; “?” or an empty string means that the Reading has no such value. */
export function placeholders(reading: Reading, words: Words): Record<string, string> {
  const d = reading.display;
  return {
    mark: d.mark,
    percent: d.percent,
    percentLeft: d.percentLeft,
    used: d.used,
    limit: d.limit,
    free: d.free,
    left: d.left,
    line: d.line,
    linePercent: d.linePercent,
    linePercentLeft: d.linePercentLeft,
    bar: d.bar,
    agent: plain(agentName(reading.agent)),
    model: plain(reading.model),
    title: plain(nameOf(reading)),
    state: activityWords(reading),
    branch: plain(reading.branch ?? ''),
    level: reading.compaction.level,
    leftWord: words.left,
    toCompact: words.toCompact,
    ofCompaction: words.ofCompaction,
    leftToCompact: words.leftToCompact,
    freeWord: words.free,
    due: words.due,
  };
}

/** The text of the status item for one Reading. */
export function statusText(reading: Reading, format: Format, template: string, words: Words): string {
  if (reading.basis === 'unknown') {
    return 'ctx ?';
  }
  const values = placeholders(reading, words);
  if (format === 'custom') {
    return fillLoosely(template, values) || 'ctx';
  }
  // What nobody carries on goes nowhere: how far its compaction is does not matter.
  if (isDim(reading)) {
    return fill('ctx {mark}{percent} · {state}', values) ?? `ctx ${values.mark}${values.used} · ${values.state}`;
  }
  // Beyond the line nothing is left; how far beyond is the tooltip's to say.
  const candidates =
    reading.compaction.level === 'over' && format === 'usedAndLeft'
      ? ['ctx {mark}{percent} · {due}', 'ctx {mark}{used} · {due}']
      : templates[format];
  for (const candidate of candidates) {
    const text = fill(candidate, values);
    if (text !== undefined) {
      return text;
    }
  }
  return 'ctx ?';
}

/** Fills a template, or answers undefined when one of its placeholders has no value. The mark may be empty. */
function fill(template: string, values: Record<string, string>): string | undefined {
  let complete = true;
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    complete &&= (value !== '' && value !== '?') || name === 'mark';
    return value;
  });
  return complete ? text : undefined;
}

/**
 * Fills a person's own template: parts between " · " that lack a value are left out, unknown placeholders stay
 * readable.
 */
function fillLoosely(template: string, values: Record<string, string>): string {
  const known = template.replace(/\{(\w+)\}/g, (all, name: string) => (name in values ? all : `{\u200b${name}}`));
  return known
    .split(' · ')
    .map((part) => fill(part.replaceAll('{\u200b', '\u0000'), values)?.replaceAll('\u0000', '{'))
    .filter((part) => part !== undefined)
    .join(' · ')
    .trim();
}

/** An icon in a name that a transcript gave stays text; those of a person's own template are drawn. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$\u200b(').replace(/\s+/g, ' ').slice(0, 120);
}

/** Which of the two background colours that an extension may use the level deserves. */
export function severity(level: Level): 'none' | 'warning' | 'error' {
  switch (level) {
    case 'ok':
      return 'none';
    case 'soon':
      return 'warning';
    case 'now':
    case 'over':
      return 'error';
    default:
      return 'none';
  }
}
