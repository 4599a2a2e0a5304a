// Copyright The ctx-lsp authors. MIT licence.

import type { Say } from './say';

/** Formats numbers and times in the language of the surrounding words, whatever the page's own is. */
export interface Numbers {
  tokens(n: number): string;
  signed(n: number): string;
  percent(share: number): string;
  /** Formats a time, with the weekday if it is not today. */
  time(at: number, now: number): string;
  /** Formats a date given as 2026-04-30. */
  date(day: string): string;
  /** Returns the plural form for a number: one or other. */
  form(n: number): 'one' | 'other';
}

const made = new Map<string, Numbers>();

export function numbersOf(say: Say): Numbers {
  const language = say('language');
  const known = made.get(language);
  if (known) return known;
  const whole = new Intl.NumberFormat(language);
  const withSign = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const part = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', hour: 'numeric', minute: '2-digit' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const plural = new Intl.PluralRules(language);
  const numbers: Numbers = {
    tokens: (n) => whole.format(n),
    signed: (n) => withSign.format(n),
    percent: (share) => part.format(share / 100),
    time: (at, now) => (new Date(at).toDateString() === new Date(now).toDateString() ? clock : day).format(at),
    date: (day) => date.format(new Date(day)),
    form: (n) => (plural.select(n) === 'one' ? 'one' : 'other'),
  };
  made.set(language, numbers);
  return numbers;
}

/**
 * Returns a line of the core with its numbers formatted for a language: 65,8k and 62 % in German. The core always
 * writes 65.8k and 62%.
 */
export function localised(line: string, language: string): string {
  const point = new Intl.NumberFormat(language).formatToParts(0.5).find((p) => p.type === 'decimal')?.value ?? '.';
  const sign = new Intl.NumberFormat(language, { style: 'percent' }).format(0).replace(/^\D*0/, '');
  return line.replace(/(\d)\.(?=\d)/g, `$1${point}`).replace(/(\d|\?)%/g, `$1${sign || '%'}`);
}
