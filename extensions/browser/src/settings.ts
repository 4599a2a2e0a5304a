// Copyright The ctx-lsp authors. MIT licence.

import type { Pointed } from './adapter/pointed';

/** The user's settings. Each has a default. */
export interface Settings {
  /** The content of the badge. */
  format: 'percent' | 'percentLeft' | 'tokens';
  /** Which number is shown: the prediction for the next request, or only the last measurement. */
  mode: 'hybrid' | 'provider';
  /** The ids of sites with the badge switched off. */
  off: string[];
  /** Windows that the user has set, by site or by `site/model`. */
  windows: Record<string, number>;
  /** The user's plan by site, as the site's file names it, or `model` for the model's own window. */
  plans: Record<string, string>;
  /** The alert threshold, in percent of the window. */
  threshold: number;
  /** Whether a warning appears at the page's send button if a draft would pass the threshold or the window. */
  atSend: boolean;
  /** The site's limits are shown from this percentage; above 100, they never are. */
  limitsFrom: number;
  /** The badge's position: at the page's field, or in a corner. */
  corner: 'field' | 'top right' | 'bottom right' | 'bottom left' | 'top left';
  /** The position that the user dragged it to, in thousandths of the available space from the left and from the top. */
  dragged: [number, number] | null;
  /** Ids of sites with a badge that no longer asks for the plan, because its details have been opened. */
  asked: string[];
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
  asked: [],
};

const formats: unknown[] = ['percent', 'percentLeft', 'tokens'];
const corners: unknown[] = ['field', 'top right', 'bottom right', 'bottom left', 'top left'];
const mostTokens = 1_000_000_000;

/** Reads settings that were stored or imported. A value of the wrong type is treated as missing. */
export function settingsFrom(stored: unknown): Settings {
  const out: Settings = { ...defaults, off: [], windows: {}, plans: {}, asked: [] };
  if (typeof stored !== 'object' || stored === null) return out;
  const { format, mode, off, windows, plans, threshold, atSend, limitsFrom, corner, dragged, asked } = stored as Record<
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
  const texts = (list: unknown): string[] =>
    Array.isArray(list) ? list.filter((s): s is string => typeof s === 'string') : [];
  out.off = texts(off);
  out.asked = texts(asked);
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

/** Returns the settings of a file that are unknown, and those that are partly or completely invalid. */
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

/** Changes a part of the stored settings. */
export async function change(part: (now: Settings) => Partial<Settings>): Promise<void> {
  const now = await read();
  await write({ ...now, ...part(now) });
}

/**
 * Returns the stored settings with the edits of a form: its differences from the values that it was filled with. Other
 * settings keep the values stored in the meantime.
 */
export function withEdits(now: Settings, filled: Settings, form: Settings): Settings {
  const out = { ...now };
  const take = <K extends keyof Settings>(key: K): void => {
    if (JSON.stringify(form[key]) !== JSON.stringify(filled[key])) out[key] = form[key];
  };
  for (const key of ['format', 'mode', 'threshold', 'atSend', 'limitsFrom', 'corner', 'dragged'] as const) take(key);
  // A dragged badge stays where it is until a corner is chosen.
  if (form.corner !== filled.corner) out.dragged = null;
  out.windows = withEntries(now.windows, filled.windows, form.windows);
  out.plans = withEntries(now.plans, filled.plans, form.plans);
  const added = form.off.filter((id) => !filled.off.includes(id));
  const removed = filled.off.filter((id) => !form.off.includes(id));
  out.off = [...new Set([...now.off.filter((id) => !removed.includes(id)), ...added])];
  return out;
}

function withEntries<V>(now: Record<string, V>, filled: Record<string, V>, form: Record<string, V>): Record<string, V> {
  const out = new Map(Object.entries(now));
  const [before, after] = [new Map(Object.entries(filled)), new Map(Object.entries(form))];
  for (const [key, value] of after) if (before.get(key) !== value) out.set(key, value);
  for (const key of before.keys()) if (!after.has(key)) out.delete(key);
  return Object.fromEntries(out);
}

/** Returns the pages that the user pointed at. */
export async function pointed(): Promise<Pointed[]> {
  const kept: unknown = (await chrome.storage.local.get('pointed')).pointed;
  return Array.isArray(kept)
    ? kept.filter((p: Partial<Pointed> | null): p is Pointed => typeof p?.origin === 'string')
    : [];
}

/** Returns the user's imported entries for the sites, unchecked: `overridden` checks them wherever they are used. */
export async function importedSites(): Promise<unknown> {
  return (await chrome.storage.local.get('sites')).sites ?? null;
}

export function onChange(listener: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (changes.settings || changes.pointed || changes.sites) listener();
  });
}

/** All stored data that affects how a page is read. */
export interface Stored {
  settings: Settings;
  pointed: Pointed[];
  imported: unknown;
}

/** Calls `apply` with the stored data, now and after each change. */
export async function follow(apply: (stored: Stored) => void): Promise<void> {
  let reads = 0;
  const update = async (): Promise<void> => {
    const started = ++reads;
    const [settings, marked, imported] = await Promise.all([read(), pointed(), importedSites()]);
    // A read that started later has newer values.
    if (started === reads) apply({ settings, pointed: marked, imported });
  };
  // The listener is added before the first read, so that no change is lost between them.
  onChange(() => void update());
  await update();
}
