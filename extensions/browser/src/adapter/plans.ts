// Copyright The ctx-lsp authors. MIT licence.

import type { Plan, SiteData } from './data';
import { modelNamed } from './models';
import { modeNamed } from './modes';

/** The window of a conversation under the user's plan, and how it is known. */
export interface Planned {
  /** Null if the model's own window applies or the window is unknown. */
  window: number | null;
  /** The name of the plan; empty if none is chosen or reported. */
  plan: string;
  /** The unknown value that the window depends on, so that there is no percentage; empty if everything is known. */
  lacks: 'plan' | 'mode' | '';
  /** Which part the page reported: the plan, the window itself, or nothing. */
  reported: 'plan' | 'window' | '';
  /** The name of the plan that the page reports if it differs from the chosen one; otherwise empty. */
  other: string;
}

/** The result if nothing is known about the window. */
export const unplanned: Planned = { window: null, plan: '', lacks: '', reported: '', other: '' };

/** The choice of a user without a plan. */
export const modelsOwn = 'model';

/** The account as the page reports it. */
export interface Account {
  windows: Record<string, number>;
  plan: string[];
}

/**
 * Returns the window that applies: that of the user's chosen plan, then the one that the page reports for the model,
 * then that of the reported plan. If it depends on an unknown plan or mode, the window is null.
 */
export function planned(
  data: SiteData,
  chosen: string | undefined,
  account: Account,
  mode: string | null,
  model: string,
): Planned {
  const reported = reportedWindow(data, account.windows, mode, model);
  const own: Planned = { ...unplanned, window: reported, reported: reported === null || data.pointed ? '' : 'window' };
  if (!data.plans) return own;
  const plan = data.plans.list.find((p) => p.id === chosen);
  const other = accountPlan(data, account.plan);
  const differs = chosen && other && other.id !== chosen ? other.name : '';
  const windowIn = (p: Plan): number | null =>
    new Map(Object.entries(p.windows)).get(mode ?? 'any') ?? p.windows.any ?? null;
  if (chosen === modelsOwn) return { ...unplanned, other: differs };
  if (plan) {
    const window = windowIn(plan);
    if (window !== null) return { ...unplanned, window, plan: plan.name, other: differs };
    return { ...own, plan: plan.name, lacks: reported === null ? 'mode' : '', other: differs };
  }
  if (reported !== null) return { ...own, plan: other?.name ?? '' };
  if (!other) return { ...unplanned, lacks: 'plan' };
  const window = windowIn(other);
  return { ...unplanned, window, plan: other.name, lacks: window === null ? 'mode' : '', reported: 'plan' };
}

/** Returns the plan that all names of the account refer to; null if there is none or they differ. */
function accountPlan(data: SiteData, names: string[]): Plan | null {
  const of = names.map((name) => data.plans?.list.find((p) => p.told.includes(name)) ?? null);
  return of.length > 0 && of.every((p) => p === of[0]) ? of[0]! : null;
}

/**
 * Returns the window that the site's list of models gives for the chosen one; null if there are several different ones.
 */
function reportedWindow(
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
  // The server of a page that the user pointed at reports the window of its only model without a name.
  if (sizes.size === 0 && data.pointed) return windows[''] ?? null;
  return sizes.size === 1 ? [...sizes][0]! : null;
}
