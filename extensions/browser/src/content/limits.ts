// Copyright The ctx-lsp authors. MIT licence.

import type { Limit } from '../traffic/loaded';
import { numbersOf } from './numbers';
import type { Say } from './words';

/** The site's limits of some hours and days, as its answers tell them, from a percentage on. */
export function limitRows(limits: readonly Limit[], from: number, now: number, say: Say): HTMLElement[] {
  return limits
    .filter((l) => l.used >= from && (l.resets === null || l.resets > now))
    .map((l) => {
      const row = document.createElement('p');
      row.className = 'limit';
      const meter = document.createElement('meter');
      Object.assign(meter, { min: 0, max: 100, low: 75, high: 90, optimum: 0, value: l.used });
      const sentence = limitSentence(l, now, say);
      meter.setAttribute('aria-label', sentence);
      row.append(meter, sentence);
      return row;
    });
}

/** What is used of a limit, and when it begins anew. */
export function limitSentence(limit: Limit, now: number, say: Say): string {
  const { percent, time } = numbersOf(say);
  const name = nameOf(limit.window, say);
  return limit.resets === null
    ? say('limitUsed', name, percent(limit.used))
    : say('limitResets', name, percent(limit.used), time(limit.resets, now));
}

/** 5h and 7d as a person says them; another name as the site spells it. */
function nameOf(window: string, say: Say): string {
  const [, count = '', unit = '', rest = ''] = /^(\d{1,3})([hd])(?:[_ -](.*))?$/.exec(window) ?? [];
  if (!count) return window.replaceAll('_', ' ');
  const name = say(unit === 'h' ? 'limitHours' : 'limitDays', count);
  return rest ? `${name}, ${rest.replaceAll('_', ' ')}` : name;
}
