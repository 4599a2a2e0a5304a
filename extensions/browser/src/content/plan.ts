// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from '../adapter/data';
import { modelsOwn, type Planned } from '../adapter/plans';
import type { ShownReading } from '../messages';
import { numbersOf } from './numbers';
import type { Say } from './say';

/** Returns the question about the user's plan. It appears until it is answered, here or in the options. */
export function planQuestion(site: SiteData, say: Say, answer: (plan: string) => void): HTMLElement {
  const label = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = say('planQuestion', site.name);
  const select = document.createElement('select');
  select.dataset.key = 'plan';
  select.append(new Option(say('planChoose'), ''), ...planOptions(site, say));
  select.addEventListener('change', () => select.value && answer(select.value));
  label.append(words, select);
  return label;
}

/** Returns options for a site's plans, and one for no plan. */
export function planOptions(site: SiteData, say: Say): HTMLOptionElement[] {
  const plans = site.plans?.list ?? [];
  return [...plans.map((p) => new Option(p.name, p.id)), new Option(say('planModel'), modelsOwn)];
}

/** Returns the source of the window: the plan, with its date, if the window is the plan's; otherwise the Reading's. */
export function windowSource(reading: ShownReading, site: SiteData, plan: Planned, say: Say): string {
  const own = reading.limitSource === 'user' && plan.window !== null && reading.limit === plan.window;
  if (own && plan.plan && site.plans && plan.reported !== 'window') {
    const key = plan.reported === 'plan' ? 'source_planReported' : 'source_plan';
    return say(key, plan.plan, reading.display.limit, numbersOf(say).date(site.plans.asOf));
  }
  if (own) return say(plan.reported ? 'source_reported' : 'source_provider');
  return say(
    reading.limitSource === 'error' && reading.reported.window ? 'source_refused' : `source_${reading.limitSource}`,
  );
}

/** Returns what happens when the window is full; empty if that is unknown. */
export const atTheEnd = (site: SiteData, say: Say): string[] =>
  site.end === 'unknown' ? [] : [say(`end_${site.end}`, site.name)];
