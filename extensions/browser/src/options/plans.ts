// Copyright The ctx-lsp authors. MIT licence.

import { oldDay } from '../adapter/age';
import type { Site } from '../adapter/site';
import { numbersOf } from '../content/numbers';
import { planOptions } from '../content/plan';
import type { Say } from '../content/say';
import type { Settings } from '../settings';

/** Returns a row for each site: whether it shows the badge, and the user's plan. */
export function siteRows(sites: readonly Site[], say: Say): HTMLElement[] {
  return sites.map((site) => {
    const row = document.createElement('div');
    row.className = 'choice';
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.name = `on-${site.id}`;
    label.append(box, ' ', site.name);
    row.append(label);
    if (site.data.plans) {
      const select = document.createElement('select');
      select.name = `plan-${site.id}`;
      select.setAttribute('aria-label', say('planOf', site.name));
      select.append(new Option(say('planAsks'), ''), ...planOptions(site.data, say));
      row.append(select);
    } else {
      const none = document.createElement('span');
      none.className = 'help';
      none.textContent = say('planNone');
      row.append(none);
    }
    const old = oldDay(site.data, Date.now());
    if (!old) return row;
    const help = document.createElement('p');
    help.className = 'help old';
    help.textContent = say('dataOld', site.name, numbersOf(say).date(old));
    const rows = document.createElement('div');
    rows.append(row, help);
    return rows;
  });
}

/** Returns the plans chosen in the form, together with those of sites that are not in it. */
export function chosenPlans(
  sites: readonly Site[],
  chosen: (name: string) => string,
  before: Settings,
): Settings['plans'] {
  const plans = { ...before.plans };
  for (const { id, data } of sites) {
    if (!data.plans) continue;
    const plan = chosen(`plan-${id}`);
    if (plan) plans[id] = plan;
    else delete plans[id];
  }
  return plans;
}
