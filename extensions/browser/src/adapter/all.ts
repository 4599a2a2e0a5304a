// Copyright The ctx-lsp authors. MIT licence.

import { all } from 'folder:sites';
import type { SiteData } from './data';

const byName = (a: SiteData, b: SiteData): number =>
  Number(a.plans === null) - Number(b.plans === null) || a.name.localeCompare(b.name, 'en');

/** Every site that ships with the extension; sites whose window depends on a plan come first. */
export const known: readonly SiteData[] = Object.values(all)
  .filter((s) => s.hosts.length > 0)
  .sort(byName);

/** Programs that users run themselves, at any address. The options page accepts their ids instead of selectors. */
export const presets: readonly SiteData[] = Object.values(all)
  .filter((s) => s.hosts.length === 0)
  .sort(byName);
