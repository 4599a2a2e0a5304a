// Copyright The ctx-lsp authors. MIT licence.

import { oldDay } from '../adapter/age';
import type { SiteData, UnseenSize } from '../adapter/data';
import type { Planned } from '../adapter/plans';
import { type Aside, type Coverage, isPart, type ShownReading } from '../messages';
import { covered } from './covered';
import { numbersOf } from './numbers';
import { atTheEnd, windowSource } from './plan';
import type { Say } from './say';

/** The data that the details show. */
export interface View {
  reading: ShownReading;
  coverage: Coverage | null;
  site: SiteData;
  plan: Planned;
  /** The hidden part of the site's prompts. */
  unseen: UnseenSize | null;
  aside: Aside;
  /** The site's limits are shown from this percentage. */
  limitsFrom: number;
}

/** Returns what the number does not include, and the sizes of the hidden part of an unmeasured one. */
export function missingRows(view: View, say: Say): string[] {
  return [...(view.coverage ? covered(view.coverage, say) : []), ...hidden(view, say)];
}

/** Returns the source of the window, and what happens when it is full. */
export function windowRows({ reading, site, plan }: View, now: number, say: Say): string[] {
  // If the window depends on something unknown, another section explains it.
  const source = plan.lacks && reading.limit === null ? [] : [windowSource(reading, site, plan, say)];
  const known = [reading.model, ...source].filter(Boolean).join(' · ');
  const old = oldDay(site, now);
  return [
    ...(known ? [known] : []),
    ...(plan.other ? [say('planDiffers', plan.other)] : []),
    ...(old ? [say('dataOld', site.name, numbersOf(say).date(old))] : []),
    ...atTheEnd(site, say),
  ];
}

/** Returns what is known about the number from the site itself, and what the signs mean. */
export function knownRows({ reading }: View, say: Say): string[] {
  const estimated = !reading.lastRequest && reading.mode !== 'provider';
  return [
    ...(reading.reported.usage ? [say('reportedUsage')] : []),
    ...(estimated ? [say('estimated')] : []),
    say('signs'),
  ];
}

/** Returns until when the site may keep the last answer's prompt; nothing if it does not, or if that is unknown. */
export function cacheRows({ site: { cacheMinutes }, aside: { answered } }: View, now: number, say: Say): string[] {
  if (!cacheMinutes || answered === null) return [];
  const [least, most] = [cacheMinutes.least, cacheMinutes.most].map((m) => answered + m * 60_000) as [number, number];
  const { time } = numbersOf(say);
  if (now < least) return [say('cacheWarm', time(least, now), time(most, now))];
  return now < most ? [say('cachePerhaps', time(most, now))] : [];
}

function hidden({ reading, coverage, site, unseen }: View, say: Say): string[] {
  if (!unseen || !site.unseen || reading.lastRequest || reading.mode === 'provider') return [];
  const { tokens, date } = numbersOf(say);
  const [least, usual, most] = [unseen.least, unseen.usual, unseen.most ?? 0].map(tokens) as [string, string, string];
  const isLeast = coverage !== null && isPart(coverage);
  const sizes = isLeast ? say('unseenLeast', site.name, least, usual) : say('unseenUsual', site.name, usual, least);
  const known = unseen.most === null ? 'unseenDay' : 'unseenMost';
  return [`${sizes} ${say(known, date(site.unseen.asOf), most)}`];
}
