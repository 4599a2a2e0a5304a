// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from './data';
import { modelNamed } from './models';
import { modeNamed } from './modes';

/** The window of a conversation by the user's plan, and where that is known from. */
export interface Planned {
  /** Null if the model's own window applies, or the window is unknown. */
  window: number | null;
  /** The name of the plan; empty if none is chosen or told. */
  plan: string;
  /** What the window depends on and is unknown, so that there is no percentage; empty if nothing is. */
  lacks: 'plan' | 'mode' | '';
}

/** The choice of a user to whom no plan applies. */
export const modelsOwn = 'model';

/** What the site's own server has told of the account. */
export interface Account {
  windows: Record<string, number>;
  plan: string[];
}

/**
 * Which window applies: what the site's own answers tell of the model, then the plan they name, then the plan that the
 * user has chosen. If the window depends on a plan or a mode that is unknown, there is none.
 */
export function planned(
  data: SiteData,
  chosen: string | undefined,
  account: Account,
  mode: string | null,
  model: string,
): Planned {
  const told = toldPlan(data, account.plan);
  const plan = data.plans?.list.find((p) => p.id === (told ?? chosen));
  const own = windowTold(data, account.windows, mode, model);
  if (own !== null) return { window: own, plan: plan?.name ?? '', lacks: '' };
  if (!data.plans || (chosen === modelsOwn && !plan)) return { window: null, plan: '', lacks: '' };
  if (!plan) return { window: null, plan: '', lacks: 'plan' };
  const window = new Map(Object.entries(plan.windows)).get(mode ?? 'any') ?? plan.windows.any ?? null;
  return { window, plan: plan.name, lacks: window === null ? 'mode' : '' };
}

/** The plan that the account's names say; null where they say none, or several. */
function toldPlan(data: SiteData, names: string[]): string | null {
  const plans = data.plans?.list.filter((p) => p.told.some((t) => names.includes(t))) ?? [];
  return plans.length === 1 ? plans[0]!.id : null;
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
    ([slug]) =>
      modelNamed(data.model.names, slug, true) === model && (!modes || modeNamed(modes.list, slug, true) === mode),
  );
  const sizes = new Set(same.map(([, tokens]) => tokens));
  // A server with one model says its window without a name.
  if (sizes.size === 0 && data.model.names === 'id') return windows[''] ?? null;
  return sizes.size === 1 ? [...sizes][0]! : null;
}
