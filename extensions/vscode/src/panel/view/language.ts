// Copyright The ctx-lsp authors. MIT licence.

let words: Readonly<Record<string, string>> = {};
let numbers = new Intl.NumberFormat('en');
let times = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
let days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
let shares = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Sets the words and the language that the extension has sent. */
export function setLanguage(language: string, translations: Readonly<Record<string, string>>): void {
  words = translations;
  document.documentElement.lang = language;
  try {
    numbers = new Intl.NumberFormat(language);
    shares = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    times = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
    days = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
  } catch {
    // For a language that is unknown to the browser, digits are grouped as in English.
  }
}

export function word(key: string, ...values: string[]): string {
  return (words[key] ?? key).replace(/\{(\d)\}/g, (_, i: string) => values[Number(i)] ?? '');
}

/** Formats a number exactly, with grouped digits; "?" if it is unknown. */
export function exact(n: number | null | undefined): string {
  return n === null || n === undefined ? '?' : numbers.format(n);
}

/** Rounds to one decimal, a half to the even one: two shares that are 100% together are so rounded as well. */
function tenths(share: number): number {
  const hundredths = Math.round(share * 100);
  const rest = hundredths % 10;
  const whole = (hundredths - rest) / 10;
  return (whole + (rest > 5 || (rest === 5 && whole % 2 !== 0) ? 1 : 0)) / 10;
}

/** Formats a share of the window in percent, with at most one decimal; empty if the window is unknown. */
export function percent(share: number | null): string {
  if (share === null) {
    return '';
  }
  const rounded = tenths(share);
  return rounded === 0 && share > 0 ? `<${shares.format(0.1)}%` : `${shares.format(rounded)}%`;
}

/** Formats a time in the user's time zone; empty if it is unknown. */
export function moment(at: number | null): string {
  return at === null ? '' : times.format(at);
}

/** Formats the day of a time; empty if it is unknown. */
export function dayOf(at: number | null): string {
  return at === null ? '' : days.format(at);
}
