// Copyright The ctx-lsp authors. MIT licence.

import type { Level, Reading } from '../api/protocol';
import type { Config, Format } from './config';
import { isDim } from './names';
import { statusWords, type Words } from './words';

/** The look of Readings, as params of ctx/watch; see docs/protocol.md. */
export interface Look {
  readonly mode?: 'provider';
  readonly panel: true;
  readonly lines: Record<string, string[]>;
  readonly words: Readonly<Words>;
}

/** The templates of each format, the longest first. The first one with only known fields is shown. */
const templates: Record<Exclude<Format, 'custom'>, string[]> = {
  usedAndLeft: [
    // Once compaction is near, dueWords describes how near it is.
    ...['soon', 'now', 'over'].flatMap((level) => ['percent', 'used'].map((number) => `{?${level}}{mark}{${number}}`)),
    '{mark}{percent} · {left} {leftWord}',
    '{mark}{percent} · {free} {freeWord}',
    '{mark}{percent}',
  ],
  windowUsed: ['{mark}{percent}'],
  windowLeft: ['{mark}{percentLeft} {leftWord}'],
  compactionUsed: ['{mark}{thresholdPercent} {ofCompaction}', '{mark}{percent}'],
  compactionLeft: ['{mark}{thresholdPercentLeft} {leftToCompact}', '{mark}{percentLeft} {leftWord}'],
  tokens: ['{mark}{used} / {limit}'],
  bar: ['{bar} {mark}{percent}', '{mark}{percent}'],
};

/** In an inactive session, the distance to its compaction does not matter. */
const dim = ['idle', 'ended'].flatMap((state) =>
  ['percent', 'used'].map((number) => `{?${state}}{mark}{${number}} · {state}`),
);

/** The templates without any number: 0.0% in provider mode, or tokens without a window, followed by the reason. */
const nothing = ['{?provider}{mark}{percent} · {unmeasured}', '{?unknown}{?hybrid}?'];

/**
 * Stands for `$(` in a template on its way to the backend. The character cannot occur in a value, because the backend
 * removes it there.
 */
const icon = '\u0001';

/** Returns the look that the settings ask for, in the user's language. */
export function lookOf(config: Pick<Config, 'statusItem' | 'titles' | 'mode'>): Look {
  const { statusItem, titles, mode } = config;
  const { format, template } = statusItem;
  const own = format === 'custom' ? [personal(template)] : [...dim, ...templates[format], '{mark}{used}'];
  const status = [...nothing, ...own].map((t) => t.replaceAll('$(', icon));
  return {
    ...(mode === 'provider' && { mode }),
    panel: true,
    lines: { status: titles ? status : status.map((t) => t.replaceAll('{title}', '{name}')) },
    words: statusWords(),
  };
}

/** Converts the user's own template. If it has no brackets, each part between " · " is omitted if it has no value. */
function personal(template: string): string {
  if (/[[\]]/.test(template)) {
    return template;
  }
  return template
    .split(' · ')
    .map((part) => (part.includes('{') ? `[${part.replaceAll('|', '||')}]` : part))
    .join(' · ');
}

/** Returns the text of the status item for a Reading. */
export function statusText(reading: Reading): string {
  const line = reading.lines?.status;
  if (line === undefined) {
    return `${reading.display.mark}${reading.display.percent}`;
  }
  // An icon in a name from a transcript stays text; those of a template are drawn.
  return line.replaceAll('$(', '$\u200b(').replaceAll(icon, '$(');
}

/** Returns the time of the next compaction in words once it is near; empty before that, and in an inactive session. */
export function dueWords(reading: Reading): string {
  const { level, hint } = reading.compaction;
  return level === 'ok' || isDim(reading) || reading.basis === 'unknown' || reading.unmeasured ? '' : hint.text;
}

/** Returns how many tenths of a window are full, rounded. */
const tenths = (percent: number): number => Math.round(Math.min(percent, 100) / 10);

/** Returns the icon that shows how full a window is; empty if the window is unknown. */
export function ringOf({ percent }: Pick<Reading, 'percent'>): string {
  return percent === null ? '' : `$(ctx-ring-${tenths(percent)})`;
}

/** Returns the same as a bar of five cells, for a row of a list. */
export function barOf(percent: number): string {
  return `ctx-bar-${Math.ceil(tenths(percent) / 2)}`;
}

/** Keeps an icon in a name from a transcript as text, on one short line. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$\u200b(').replace(/\s+/g, ' ').slice(0, 120);
}

/** Returns which of the two background colors that extensions may use fits the level. */
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
