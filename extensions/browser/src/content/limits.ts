// Copyright The ctx-lsp authors. MIT licence.

import type { Limit } from '../messages';
import { numbersOf } from './numbers';
import type { Say } from './say';

/** Returns a row for each of the site's usage limits that is at or above a percentage and has not been reset. */
export function limitRows(limits: readonly Limit[], from: number, now: number, say: Say): HTMLElement[] {
  return limits
    .filter((l) => l.used >= from && (l.resets === null || l.resets > now))
    .map((l) => {
      const row = document.createElement('p');
      row.className = 'limit';
      row.dataset.level = l.used >= 90 ? 'now' : l.used >= 75 ? 'soon' : 'ok';
      const sentence = limitSentence(l, now, say);
      row.append(meterOf(l.used, sentence), sentence);
      return row;
    });
}

/** Returns a custom meter, because every browser draws its own differently. */
function meterOf(used: number, sentence: string): HTMLElement {
  const meter = document.createElement('span');
  meter.className = 'meter';
  meter.setAttribute('role', 'meter');
  meter.setAttribute('aria-label', sentence);
  for (const [name, n] of Object.entries({ valuemin: 0, valuemax: 100, valuenow: used }))
    meter.setAttribute(`aria-${name}`, String(n));
  const part = document.createElement('span');
  part.style.width = `${used}%`;
  meter.append(part);
  return meter;
}

/** Returns a sentence about how much of a limit is used, and when it resets if that is known. */
export function limitSentence(limit: Limit, now: number, say: Say): string {
  const { percent, time } = numbersOf(say);
  const name = nameOf(limit.window, say);
  return limit.resets === null
    ? say('limitUsed', name, percent(limit.used))
    : say('limitResets', name, percent(limit.used), time(limit.resets, now));
}

/** Returns a readable name for 5h and 7d; for any other window, the site's own name. */
function nameOf(window: string, say: Say): string {
  const [, count = '', unit = '', rest = ''] = /^(\d{1,3})([hd])(?:[_ -](.*))?$/.exec(window) ?? [];
  if (!count) return say('limitOther', window.replaceAll('_', ' '));
  const name = say(unit === 'h' ? 'limitHours' : 'limitDays', count);
  return rest ? `${name}, ${rest.replaceAll('_', ' ')}` : name;
}
