// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Advice, Basis, Reading } from '../api/protocol';
import type { Reason } from './focus';
import { rowsOf, valuesOf } from './panel/rows';
import type { Trouble } from './trouble';
import { limitPhrases } from './words.gen';

/** All words that are used in more than one place. */

/** The words of the status text: for the fields of templates, and for words of a Reading. */
export type Words = Record<string, string>;

export function statusWords(): Words {
  return {
    leftWord: vscode.l10n.t('left'),
    ofCompaction: vscode.l10n.t('of the way to compaction'),
    leftToCompact: vscode.l10n.t('of the way to compaction left'),
    freeWord: vscode.l10n.t('free'),
    'compacts now': vscode.l10n.t('compacts now'),
    'compacts at the next prompt': vscode.l10n.t('compacts at the next prompt'),
    'compacts after this turn': vscode.l10n.t('compacts after this turn'),
    'window full': vscode.l10n.t('window full'),
    working: vscode.l10n.t('working'),
    'waiting for approval': vscode.l10n.t('waiting for approval'),
    'waiting for you': vscode.l10n.t('waiting for you'),
    idle: vscode.l10n.t('idle'),
    ended: vscode.l10n.t('ended'),
    notMeasuredYet: vscode.l10n.t('nothing measured yet'),
    restoredSince: vscode.l10n.t('not measured since it was restored'),
    compactedSince: vscode.l10n.t('not measured since it was compacted'),
    windowUnknown: vscode.l10n.t('window unknown'),
  };
}

/** Formats a number with its sign. */
export function signed(n: number): string {
  return new Intl.NumberFormat(vscode.env.language, { signDisplay: 'exceptZero' }).format(n);
}

/** Formats a number exactly, with digits grouped as in the user's language. */
export function exact(n: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(n);
}

/** Formats a share of the window in whole percent; empty if the window is unknown. */
export function shareWords(share: number | null): string {
  if (share === null) {
    return '';
  }
  return share < 1
    ? '<1%'
    : `${new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 0 }).format(share)}%`;
}

/** Formats a number in a few characters, for a row of a narrow view: 31k. */
export function short(n: number): string {
  const text = new Intl.NumberFormat(vscode.env.language, {
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(n);
  return text.replace(/K$/, 'k'); // as in all other numbers
}

/** Returns how many tokens a suggestion frees, and how certain that is. */
export function freedBy({ tokens, basis, atMost }: Advice): string {
  const freed = `${mark(basis)}${exact(tokens)}`;
  return atMost ? vscode.l10n.t('at most {0}', freed) : freed;
}

/** Returns the symbol in front of a number of this basis. */
export function mark(basis: Basis): string {
  switch (basis) {
    case 'estimated':
    case 'measured+estimated':
      return '~';
    case 'unknown':
      return '?';
    default:
      return '';
  }
}

export function basisWords(basis: Basis): string {
  switch (basis) {
    case 'measured':
      return vscode.l10n.t('measured by the provider');
    case 'counted':
      return vscode.l10n.t('counted exactly');
    case 'derived':
      return vscode.l10n.t('derived from measured and counted numbers');
    case 'estimated':
      return vscode.l10n.t('estimated');
    case 'unknown':
      return vscode.l10n.t('unknown');
    case 'measured+counted':
      return vscode.l10n.t('measured by the provider, new content counted exactly');
    case 'measured+estimated':
      return vscode.l10n.t('measured by the provider, new content estimated');
  }
}

export function limitSourceWords(source: string): string {
  const phrases: Record<string, () => string> = limitPhrases;
  return (phrases[source] ?? limitPhrases.unknown)();
}

export function reasonWords(reason: Reason): string {
  switch (reason) {
    case 'pinned':
      return vscode.l10n.t('picked by you');
    case 'terminal':
      return vscode.l10n.t('runs in the focused terminal');
    case 'unsure':
      return vscode.l10n.t('may be the session in the focused terminal');
    case 'chat':
      return vscode.l10n.t('belongs to the focused chat');
    case 'api':
      return vscode.l10n.t('shown by its extension');
    case 'folder':
      return vscode.l10n.t('last active in the focused folder');
    case 'latest':
      return vscode.l10n.t('last active in this workspace');
  }
}

/** Returns the two words that fit on the status item. */
export function troubleWords(kind: Trouble['kind']): string {
  switch (kind) {
    case 'noDaemon':
      return vscode.l10n.t('no daemon');
    case 'wrongVersion':
      return vscode.l10n.t('wrong version');
    case 'crashed':
      return vscode.l10n.t('daemon crashed');
    case 'silent':
      return vscode.l10n.t('daemon silent');
    case 'noCore':
      return vscode.l10n.t('no calculator');
    case 'badSetting':
      return vscode.l10n.t('bad setting');
  }
}

/**
 * Returns the limits of the account and how long the prompt cache is warm, as the agent has reported them; empty if it
 * reports neither.
 */
export function allowanceSentence({ allowance }: Reading, now: number): string {
  if (!allowance) {
    return '';
  }
  const parts = allowance.windows
    .filter(({ resets }) => resets === null || resets > now) // a limit that has been reset is unknown until the agent reports it
    .map(({ minutes, percent, resets }) => {
      const limit = limitWords(minutes);
      return resets === null
        ? vscode.l10n.t('{0}: {1}% used', limit, exact(percent))
        : vscode.l10n.t('{0}: {1}% used until {2}', limit, exact(percent), moment(resets));
    });
  if (allowance.cacheUntil !== null && allowance.cacheUntil > now) {
    parts.push(vscode.l10n.t('cache warm until {0}', moment(allowance.cacheUntil)));
  }
  return parts.join(' · ');
}

function limitWords(minutes: number): string {
  switch (minutes) {
    case 300:
      return vscode.l10n.t('5-hour limit');
    case 10_080:
      return vscode.l10n.t('weekly limit');
    default:
      return vscode.l10n.t('limit of {0} minutes', exact(minutes));
  }
}

/** Formats a time in the user's time zone: the hour today, otherwise the day and the hour. */
export function moment(at: number): string {
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const today = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    vscode.env.language,
    today ? clock : { weekday: 'short', month: 'short', day: 'numeric', ...clock },
  ).format(at);
}

/** Returns what is left until the agent compacts; how full the window is if that is unknown. */
export function lead(reading: Reading, now: number): string {
  const [full = '', until = ''] = ['full', 'until'].map((id) => valuesOf(reading, 'window', [id], now)[0]);
  const text = until || full;
  return text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);
}

/** Returns the facts of a Reading in one sentence, for users of screen readers. */
export function spoken(reading: Reading, now: number): string {
  const usage = rowsOf(reading, 'window', now).find(({ id }) => id === 'usage');
  const used = usage ? [`${usage.label}: ${usage.value}`, usage.note] : [];
  return [...used, ...valuesOf(reading, 'window', ['until'], now), ...valuesOf(reading, 'session', ['activity'], now)]
    .filter(Boolean)
    .join(', ');
}
