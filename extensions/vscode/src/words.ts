// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Advice, Basis, Level, Reading } from '../api/protocol';
import { agentName } from './agents';
import type { Reason } from './focus';
import { activityWords } from './names';
import { inWords, words } from './phrases';
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

/** Returns why provider mode shows no measured percentage; empty if there is one, and in hybrid mode. */
export function unmeasured({ unmeasured: why = '', unmeasuredPhrase }: Reading): string {
  return inWords(unmeasuredPhrase, why);
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
    maximumSignificantDigits: 2,
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

export function levelWords(level: Level): string {
  switch (level) {
    case 'ok':
      return vscode.l10n.t('compaction is not near');
    case 'soon':
      return vscode.l10n.t('compaction is near');
    case 'now':
      return vscode.l10n.t('the next request may compact it');
    case 'over':
      return vscode.l10n.t('it compacts now');
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

/** Returns the most likely number of requests before a compaction; empty if unknown. */
export function requestsAhead({ compaction: { callsLeft } }: Reading): string {
  if (!callsLeft) {
    return '';
  }
  return callsLeft.likely === 1
    ? vscode.l10n.t('about 1 request')
    : vscode.l10n.t('about {0} requests', exact(callsLeft.likely));
}

/** Returns the sentence at the top of every large view: what is left until the agent compacts. */
export function leadSentence(reading: Reading): string {
  const { compaction: c, display: d } = reading;
  const who = agentName(reading.agent) || vscode.l10n.t('this session');
  if (reading.basis === 'unknown' || unmeasured(reading)) {
    return unmeasured(reading) || vscode.l10n.t("The window's usage is unknown so far");
  }
  if (c.threshold === null) {
    return reading.percent === null
      ? vscode.l10n.t('{0} tokens in the window', `${d.mark}${d.used}`)
      : [vscode.l10n.t('{0} of the window is used', `${d.mark}${d.percent}`), c.hint].filter(Boolean).join(' · ');
  }
  if (c.level === 'over') {
    const later = laterWords(reading);
    return later ? `${who}: ${later}` : vscode.l10n.t('{0} compacts now', who);
  }
  if (!c.callsLeft) {
    return vscode.l10n.t('{0} tokens until {1} compacts', `${d.mark}${d.left}`, who);
  }
  const left =
    c.callsLeft.likely === 1
      ? vscode.l10n.t('About 1 request until {0} compacts', who)
      : vscode.l10n.t('About {0} requests until {1} compacts', exact(c.callsLeft.likely), who);
  return c.forecastFrom ? `${left} (${words(c.forecastFrom)})` : left;
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
function moment(at: number): string {
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const today = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    vscode.env.language,
    today ? clock : { weekday: 'short', month: 'short', day: 'numeric', ...clock },
  ).format(at);
}

/** Returns when an agent past its threshold compacts, if not within a turn; otherwise empty. */
export function laterWords({ compaction: c }: Reading): string {
  const id = c.hintPhrase?.id;
  return id === 'compactsAtPrompt' || id === 'compactsAfter' ? inWords(c.hintPhrase, c.hint) : '';
}

/** Returns when a session compacts, in one sentence; empty if the agent has no compaction threshold. */
export function compactionSentence(reading: Reading): string {
  const { compaction: c, display: d } = reading;
  if (c.threshold === null) {
    return '';
  }
  if (c.level === 'over') {
    const later = laterWords(reading);
    return later
      ? `${later} (${d.threshold})`
      : vscode.l10n.t('It compacts now: past the compaction threshold of {0}.', d.threshold);
  }
  const ahead = requestsAhead(reading);
  return ahead
    ? vscode.l10n.t('{0} left before it compacts at {1}: {2}', `${d.mark}${d.left}`, d.threshold, ahead)
    : vscode.l10n.t('{0} left before it compacts at {1}', `${d.mark}${d.left}`, d.threshold);
}

/** Returns the facts of a Reading in one sentence, for users of screen readers. */
export function spoken(reading: Reading): string {
  const d = reading.display;
  const why = unmeasured(reading);
  if (why) {
    const number = reading.percent === null ? vscode.l10n.t('{0} tokens', d.used) : d.percent;
    return vscode.l10n.t('Context window: {0}, {1}', number, why);
  }
  if (reading.basis === 'unknown') {
    return vscode.l10n.t('Context window: usage unknown so far');
  }
  const used =
    reading.percent !== null
      ? vscode.l10n.t('Context window {0} used', d.percent)
      : vscode.l10n.t('Context window: {0} tokens used', d.used);
  const left =
    reading.compaction.level === 'over'
      ? ''
      : reading.compaction.left !== null
        ? vscode.l10n.t('{0} tokens left to compaction', d.left)
        : reading.free !== null
          ? vscode.l10n.t('{0} tokens free', d.free)
          : '';
  const level = (reading.compaction.level === 'over' && laterWords(reading)) || levelWords(reading.compaction.level);
  return [used, left, activityWords(reading), level, basisWords(reading.basis)].filter(Boolean).join(', ');
}
