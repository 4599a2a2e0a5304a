// Copyright The ctx-lsp authors. MIT licence.

import type { Plan, SiteData } from './data';
import { modelNamed } from './models';
import { modeNamed } from './modes';

/** The window of a conversation by the user's plan, and where that is known from. */
export interface Planned {
  /** Null if the model's own window applies, or the window is unknown. */
  window: number | null;
  /** The name of the plan; empty if none is chosen or reported. */
  plan: string;
  /** What the window depends on and is unknown, so that there is no percentage; empty if nothing is. */
  lacks: 'plan' | 'mode' | '';
  /** Which part the page reported: the plan, the window itself, or nothing. */
  reported: 'plan' | 'window' | '';
  /** The name of a plan that the page reports in the place of the chosen one; empty if it does not. */
  other: string;
}

/** Nothing is known of the window. */
export const unplanned: Planned = { window: null, plan: '', lacks: '', reported: '', other: '' };

/** The choice of a user without a plan. */
export const modelsOwn = 'model';

/** The account as the page reports it. */
export interface Account {
  windows: Record<string, number>;
  plan: string[];
}

/**
 * Which window applies: that of the plan that the user has chosen, then the one that the page reports of the model,
 * then that of the plan it reports. If the window depends on a plan or a mode that is unknown, there is none.
 */
export function planned(
  data: SiteData,
  chosen: string | undefined,
  account: Account,
  mode: string | null,
  model: string,
): Planned {
  const told = windowTold(data, account.windows, mode, model);
  const own: Planned = { ...unplanned, window: told, reported: told === null || data.pointed ? '' : 'window' };
  if (!data.plans) return own;
  const plan = data.plans.list.find((p) => p.id === chosen);
  const other = toldPlan(data, account.plan);
  const differs = chosen && other && other.id !== chosen ? other.name : '';
  const windowIn = (p: Plan): number | null =>
    new Map(Object.entries(p.windows)).get(mode ?? 'any') ?? p.windows.any ?? null;
  if (chosen === modelsOwn) return { ...unplanned, other: differs };
  if (plan) {
    const window = windowIn(plan);
    if (window !== null) return { ...unplanned, window, plan: plan.name, other: differs };
    return { ...own, plan: plan.name, lacks: told === null ? 'mode' : '', other: differs };
  }
  if (told !== null) return { ...own, plan: other?.name ?? '' };
  if (!other) return { ...unplanned, lacks: 'plan' };
  const window = windowIn(other);
  return { ...unplanned, window, plan: other.name, lacks: window === null ? 'mode' : '', reported: 'plan' };
}

/** The plan that the names of the accounts are of; null without one, or if they differ. */
function toldPlan(data: SiteData, names: string[]): Plan | null {
  const of = names.map((name) => data.plans?.list.find((p) => p.told.includes(name)) ?? null);
  return of.length > 0 && of.every((p) => p === of[0]) ? of[0]! : null;
}

/** The window that the site's list of models has for the chosen one. Of several that differ none counts. */
function windowTold(
  data: SiteData,
  windows: Record<string, number>,
  mode: string | null,
  model: string,
): number | null {
  const { modes } = data;
  const same = Object.entries(windows).filter(
    ([slug]) => modelNamed(data.model.ids, slug) === model && (!modes || modeNamed(modes.list, slug, true) === mode),
  );
  const sizes = new Set(same.map(([, tokens]) => tokens));
  // The server of a page that the user pointed at says the window of its one model without a name.
  if (sizes.size === 0 && data.pointed) return windows[''] ?? null;
  return sizes.size === 1 ? [...sizes][0]! : null;
}
