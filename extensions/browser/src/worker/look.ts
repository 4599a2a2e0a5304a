// Copyright The ctx-lsp authors. MIT licence.

import type { Core } from '../../../../wasm/js/ctx.js';
import type { Reading } from '../../../../wasm/js/types';
import { localised } from '../content/numbers';
import type { Say } from '../content/say';
import type { Lines, Reported, ShownReading } from '../messages';
import type { Settings } from '../settings';

/**
 * The templates for provider mode without a measured percentage: the number, the measured tokens, and the reason. Users
 * who have chosen tokens get no percentage.
 */
const unmeasured = (format: Settings['format']): string[] => [
  '{?provider}{?unknown}{percent} · {unmeasured}',
  format === 'tokens' ? '{?provider}{used} · {unmeasured}' : '{?provider}{percent} · {used} · {unmeasured}',
];

/**
 * Prefixes templates with the symbol of the number. Messages and answers can be counted exactly, but the hidden part of
 * the prompt is unknown until it is measured, so a count is only an estimate here. The number of a partly read
 * conversation is a lower bound.
 */
const marked = (of: Marks, ...templates: string[]): string[] =>
  (of.part ? ['≥\u00a0'] : of.reported ? ['~'] : ['{?counted}~', '{mark}']).flatMap((m) => templates.map((t) => m + t));

/** Whether a number is a lower bound, and whether it depends on the page's own report. */
export interface Marks {
  part: boolean;
  reported: boolean;
}

/** The templates of the badge. Without a known window there is no percentage, and a part has no remainder. */
const formats: Record<Settings['format'], (of: Marks, say: Say) => string[]> = {
  percent: (of, say) => marked(of, say('badgeLine', '{percent}', '{limit}'), say('tokensUsed', '{used}')),
  percentLeft: (of, say) =>
    of.part
      ? formats.percent(of, say)
      : marked(of, say('badgeLeft', '{percentLeft}', '{limit}'), say('tokensUsed', '{used}')),
  tokens: (of, say) => marked(of, say('tokensUsed', '{used}')),
};

/** Returns the templates for each location in this extension, in the format of `ctx/lines`; see docs/protocol.md. */
export function lookOf(format: Settings['format'], say: Say, of: Marks = { part: false, reported: false }) {
  const { part } = of;
  return {
    lines: {
      badge: [...unmeasured(format), ...formats[format](of, say)],
      // The same for screen readers.
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
      // A level of `ok` needs no message.
      ok: '',
      ...Object.fromEntries(['soon', 'now', 'over'].map((level) => [level, say(`level_${level}`)])),
    },
  };
}

/** The phrases that explain why provider mode shows no measured percentage. */
const reasons = ['notMeasuredYet', 'restoredSince', 'compactedSince', 'windowUnknown'];

/** Returns a Reading for the pages, with its formatted lines. */
export async function withLines(
  core: Core,
  reading: Reading,
  format: Settings['format'],
  say: Say,
  part = false,
  reported: Reported = { usage: false, window: false },
): Promise<ShownReading> {
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
