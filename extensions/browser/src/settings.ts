// Copyright The ctx-lsp authors. MIT licence.

import type { Pointed } from './adapter/pointed';

/** The person's settings. Each has a default. */
export interface Settings {
  /** What the badge prints. */
  format: 'percent' | 'percentLeft' | 'tokens';
  /** Which number is shown: the prediction for the next request, or the last measurement and nothing else. */
  mode: 'hybrid' | 'provider';
  /** Sites on which the badge is switched off, by their ids. */
  off: string[];
  /** Windows that the person knows better than the registry, by site or by `site/model`. */
  windows: Record<string, number>;
  /** The person's plan by site, as the site's file names it, or `model` for the model's own window. */
  plans: Record<string, string>;
  /** From how many percent of the window on a conversation counts as full. */
  threshold: number;
  /** Whether it is said at the page's button that a draft would pass that line, or the window. */
  atSend: boolean;
  /** From how many percent on the site's limits of hours and days are shown; above 100 never. */
  limitsFrom: number;
  /** Where the badge is: at the page's field, or in a corner. */
  corner: 'field' | 'top right' | 'bottom right' | 'bottom left' | 'top left';
  /** Where the person has dragged it, in thousandths of the room it has from the left and from the top. */
  dragged: [number, number] | null;
}

export const defaults: Settings = {
  format: 'percent',
  mode: 'hybrid',
  off: [],
  windows: {},
  plans: {},
  threshold: 90,
  atSend: true,
  limitsFrom: 0,
  corner: 'field',
  dragged: null,
};

const formats: unknown[] = ['percent', 'percentLeft', 'tokens'];
const corners: unknown[] = ['field', 'top right', 'bottom right', 'bottom left', 'top left'];
const mostTokens = 1_000_000_000;

/** Reads settings that were stored or imported. A value of the wrong type counts as not set. */
export function settingsFrom(stored: unknown): Settings {
  const out: Settings = { ...defaults, off: [], windows: {}, plans: {} };
  if (typeof stored !== 'object' || stored === null) return out;
  const { format, mode, off, windows, plans, threshold, atSend, limitsFrom, corner, dragged } = stored as Record<
    string,
    unknown
  >;
  if (formats.includes(format)) out.format = format as Settings['format'];
  if (mode === 'provider') out.mode = mode;
  if (corners.includes(corner)) out.corner = corner as Settings['corner'];
  if (
    Array.isArray(dragged) &&
    dragged.length === 2 &&
    dragged.every((n) => Number.isInteger(n) && n >= 0 && n <= 1000)
  )
    out.dragged = [dragged[0], dragged[1]];
  if (Array.isArray(off)) out.off = off.filter((s): s is string => typeof s === 'string');
  if (typeof threshold === 'number' && threshold >= 1 && threshold <= 100) out.threshold = Math.round(threshold);
  if (typeof atSend === 'boolean') out.atSend = atSend;
  if (Number.isInteger(limitsFrom) && (limitsFrom as number) >= 0 && (limitsFrom as number) <= 101)
    out.limitsFrom = limitsFrom as number;
  if (typeof windows === 'object' && windows !== null) {
    for (const [k, v] of Object.entries(windows))
      if (Number.isInteger(v) && v > 0 && v <= mostTokens) out.windows[k] = v as number;
  }
  if (typeof plans === 'object' && plans !== null) {
    for (const [site, plan] of Object.entries(plans))
      if (typeof plan === 'string' && plan.length <= 40) out.plans[site] = plan;
  }
  return out;
}

/** Which settings of a file are not known, and of which not everything can be used. */
export function refusedSettings(file: unknown): { unknown: string[]; refused: string[] } {
  if (typeof file !== 'object' || file === null) return { unknown: [], refused: file === undefined ? [] : ['*'] };
  const taken = Object.entries(settingsFrom(file));
  const same = (key: string, value: unknown): boolean =>
    taken.some(([k, v]) => k === key && JSON.stringify(v) === JSON.stringify(value));
  const given = Object.entries(file);
  return {
    unknown: given.filter(([key]) => !(key in defaults)).map(([key]) => key.slice(0, 40)),
    refused: given.filter(([key, value]) => key in defaults && !same(key, value)).map(([key]) => key),
  };
}

export async function read(): Promise<Settings> {
  return settingsFrom((await chrome.storage.local.get('settings')).settings);
}

export async function write(settings: Settings): Promise<void> {
  await chrome.storage.local.set({ settings });
}

/** The pages that the person pointed at. */
export async function pointed(): Promise<Pointed[]> {
  const kept: unknown = (await chrome.storage.local.get('pointed')).pointed;
  return Array.isArray(kept)
    ? kept.filter((p: Partial<Pointed> | null): p is Pointed => typeof p?.origin === 'string')
    : [];
}

/** What the person has imported for the sites, as it was imported: `overridden` checks it wherever it is used. */
export async function importedSites(): Promise<unknown> {
  return (await chrome.storage.local.get('sites')).sites ?? null;
}

export function onChange(listener: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (changes.settings || changes.pointed || changes.sites) listener();
  });
}

/** Everything stored that decides how a page is read. */
export interface Stored {
  settings: Settings;
  pointed: Pointed[];
  imported: unknown;
}

/** Calls `apply` with what is stored, now and after each change. */
export async function follow(apply: (stored: Stored) => void): Promise<void> {
  let reads = 0;
  const update = async (): Promise<void> => {
    const started = ++reads;
    const [settings, marked, imported] = await Promise.all([read(), pointed(), importedSites()]);
    // A read that started later has newer values.
    if (started === reads) apply({ settings, pointed: marked, imported });
  };
  // The listener comes before the first read, so that no change is lost between them.
  onChange(() => void update());
  await update();
}
