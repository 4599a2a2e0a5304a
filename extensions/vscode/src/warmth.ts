// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';

type Back = NonNullable<Reading['cache']['back']>;

/** The state of a session's prompt cache; `perhaps` is between warm and cold. */
export type Warmth = 'warm' | 'perhaps' | 'cold';

/**
 * Returns the state of a prompt cache at a time. A clock that shows a time before the last request is wrong, so the
 * state is then uncertain.
 */
export function warmthOf(back: Back, now: number): Warmth {
  if (now >= back.coldFrom) {
    return 'cold';
  }
  return now > back.warmUntil || back.warmUntil - now > back.life ? 'perhaps' : 'warm';
}

/** Returns how many minutes a warm cache stays warm, rounded up. */
function minutesLeft(back: Back, now: number): string {
  return String(Math.floor((back.warmUntil - now) / 60_000) + 1);
}

/**
 * Returns the status item's text about the cache: empty before the last fifth of its lifetime, while the agent works,
 * or if something other than time has made it cold.
 */
export function backSoon(reading: Reading, now: number): string {
  const { back } = reading.cache;
  if (back?.cause !== 'time' || reading.activity === 'working' || now < back.warnFrom) {
    return '';
  }
  switch (warmthOf(back, now)) {
    case 'warm':
      return vscode.l10n.t('cold in {0} min', minutesLeft(back, now));
    case 'perhaps':
      return vscode.l10n.t('may be cold');
    case 'cold':
      return vscode.l10n.t('cold: {0}', back.display);
  }
}
