// Copyright The ctx-lsp authors. MIT licence.

import type { Core } from '../../../../wasm/js/ctx.js';
import type { Reading } from '../../../../wasm/js/types';
import { localised } from '../content/numbers';
import type { Say } from '../content/say';
import type { Lines, Reported, Told } from '../messages';
import type { Settings } from '../settings';

/**
 * Where provider mode has no measured percentage: the number, what was measured, and why it is none. The person who has
 * chosen tokens gets no percentage.
 */
const unmeasured = (format: Settings['format']): string[] => [
  '{?provider}{?unknown}{percent} · {unmeasured}',
  format === 'tokens' ? '{?provider}{used} · {unmeasured}' : '{?provider}{percent} · {used} · {unmeasured}',
];

/**
 * The same templates with the mark of the number. What is typed and answered can be counted to the token; what the site
 * sends besides it cannot, until it is measured: a count is no more than an estimate here. Of a conversation that was
 * read in part it is a least one.
 */
const marked = (of: Marks, ...templates: string[]): string[] =>
  (of.part ? ['≥\u00a0'] : of.reported ? ['~'] : ['{?counted}~', '{mark}']).flatMap((m) => templates.map((t) => m + t));

/** Whether a number is a lower bound, and whether it depends on the page's own report. */
export interface Marks {
  part: boolean;
  reported: boolean;
}

/**
 * What the badge prints. Without a known window there is no percentage to show, and of what is a part only, no rest.
 */
const formats: Record<Settings['format'], (of: Marks, say: Say) => string[]> = {
  percent: (of, say) => marked(of, say('badgeLine', '{percent}', '{limit}'), say('tokensUsed', '{used}')),
  percentLeft: (of, say) =>
    of.part
      ? formats.percent(of, say)
      : marked(of, say('badgeLeft', '{percentLeft}', '{limit}'), say('tokensUsed', '{used}')),
  tokens: (of, say) => marked(of, say('tokensUsed', '{used}')),
};

/** What each place of this extension says of a Reading, as `ctx/lines` takes it: see docs/protocol.md. */
export function lookOf(format: Settings['format'], say: Say, of: Marks = { part: false, reported: false }) {
  const { part } = of;
  return {
    lines: {
      badge: [...unmeasured(format), ...formats[format](of, say)],
      // The same for people who hear it.
      spoken: [
        `{?provider}{?unknown}${say('badgeUnmeasured', '{percent}', '{unmeasured}')}`,
        say(part ? 'badgeAtLeast' : 'badgeLabel', '{percent}', '{used}', '{limit}', '[, {level}]'),
        say(part ? 'badgeTokensAtLeast' : 'badgeTokens', '{used}'),
      ],
      toolbar: ['{percent}', '{used}'].map((n) => (of.reported ? `~${n}` : n)),
      popup: [
        ...unmeasured('percent'),
        ...marked(of, say('popupLine', '{percent}', '{used}', '{limit}'), say('tokensUsed', '{used}')),
      ],
      sign: marked(of, ''),
      why: ['{unmeasured}'],
    } satisfies Record<keyof Lines, string[]>,
    words: {
      ...Object.fromEntries(reasons.map((id) => [id, say(`why_${id}`)])),
      // Of a level that is fine there is nothing to say.
      ok: '',
      ...Object.fromEntries(['soon', 'now', 'over'].map((level) => [level, say(`level_${level}`)])),
    },
  };
}

/** The phrases that say why provider mode shows no measured percentage. */
const reasons = ['notMeasuredYet', 'restoredSince', 'compactedSince', 'windowUnknown'];

/** A Reading as the pages get it: with its lines finished. */
export async function withLines(
  core: Core,
  reading: Reading,
  format: Settings['format'],
  say: Say,
  part = false,
  reported: Reported = { usage: false, window: false },
): Promise<Told> {
  const marks = { part, reported: reported.usage || reported.window };
  const { lines } = await core.call('ctx/lines', { reading, ...lookOf(format, say, marks) });
  const written = <T extends object>(all: T): T =>
    Object.fromEntries(Object.entries(all).map(([key, text]) => [key, localised(text, say('language'))])) as T;
  return {
    ...reading,
    reported,
    display: written(reading.display),
    lines: written(lines as Record<keyof Lines, string>),
  };
}

/**
 * A Reading whose window nobody knows, because it depends on a plan that was not told. The model's own window is the
 * provider's interface's and up to thirty times too large: a percentage of it would be wrong, and there is none.
 */
export const withoutWindow = (reading: Reading): Reading => ({
  ...reading,
  limit: null,
  limitSource: 'unknown',
  free: null,
  percent: null,
  // Provider mode says so itself where it has no measured percentage.
  ...(reading.mode === 'provider' &&
    !reading.unmeasuredPhrase && { unmeasured: 'window unknown', unmeasuredPhrase: { id: 'windowUnknown' } }),
  breakdown: reading.breakdown.map((row) => ({ ...row, share: null })),
  compaction: { ...reading.compaction, level: 'ok', advised: false, callsLeft: null, turnsLeft: null, hint: '' },
  display: {
    ...reading.display,
    number: reading.mode === 'provider' ? '0.0%' : `${reading.display.mark}${reading.display.used}`,
    percent: reading.mode === 'provider' ? '0.0%' : '?',
    percentLeft: '?',
    limit: '?',
    free: '?',
    bar: '',
  },
});
