// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from './data';
import { modelNamed } from './models';

/** The window of a conversation by the person's plan, and where that is known from. */
export interface Planned {
  /** Null where the model's own window counts, or nothing is known. */
  window: number | null;
  /** The name of the plan; empty where none is chosen or told. */
  plan: string;
  /** Whether the window depends on a plan that nobody has told yet: then there is no percentage. */
  asks: boolean;
}

/** The choice of a person to whom no plan applies. */
export const modelsOwn = 'model';

/** What the site's own server has told of the account. */
export interface Account {
  windows: Record<string, number>;
  plan: string[];
}

/**
 * Which window counts: what the site's own answers tell of the model, then the plan they name, then the plan that the
 * person has named. Where the window depends on the plan and none is known, there is none.
 */
export function planned(
  data: SiteData,
  chosen: string | undefined,
  account: Account,
  mode: string,
  model: string,
): Planned {
  const told = toldPlan(data, account.plan);
  const plan = data.plans?.list.find((p) => p.id === (told ?? chosen));
  const own = windowTold(data, account.windows, mode, model);
  if (own !== null) return { window: own, plan: plan?.name ?? '', asks: false };
  if (!data.plans || (chosen === modelsOwn && !plan)) return { window: null, plan: '', asks: false };
  if (!plan) return { window: null, plan: '', asks: true };
  const window = plan.windows.find((w) => new RegExp(w.model, 'i').test(`${mode} ${model}`.slice(0, 300)));
  return { window: window?.tokens ?? null, plan: plan.name, asks: false };
}

/** The plan that the account's names say; null where they say none, or several. */
function toldPlan(data: SiteData, names: string[]): string | null {
  const plans = data.plans?.list.filter((p) => p.told.some((t) => names.includes(t))) ?? [];
  return plans.length === 1 ? plans[0]!.id : null;
}

/** The window that the site's list of models has for the chosen one. Of several that differ none counts. */
function windowTold(data: SiteData, windows: Record<string, number>, mode: string, model: string): number | null {
  const thinking = /thinking/i;
  const same = Object.entries(windows).filter(
    ([slug]) => modelNamed(data.model.names, slug, true) === model && thinking.test(slug) === thinking.test(mode),
  );
  const sizes = new Set(same.map(([, tokens]) => tokens));
  // A server with one model says its window without a name.
  if (sizes.size === 0 && data.model.names === 'id') return windows[''] ?? null;
  return sizes.size === 1 ? [...sizes][0]! : null;
}
