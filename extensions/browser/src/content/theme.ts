// Copyright The ctx-lsp authors. MIT licence.

import type { Site } from '../sites/site';

/** The page's own theme: as the site says it, else as its background is. */
export function themeOf(site: Site): 'dark' | 'light' {
  const said = site.theme(document);
  if (said) return said;
  for (const element of [document.body, document.documentElement]) {
    const light = lightness(getComputedStyle(element).backgroundColor);
    if (light !== null) return light < 0.5 ? 'dark' : 'light';
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** How light a colour is, from 0 to 1; null where nothing is painted. */
export function lightness(colour: string): number | null {
  const [red, green, blue, alpha = 1] = (/^rgba?\(([^)]*)\)/.exec(colour)?.[1] ?? '').split(/[\s,/]+/).map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha < 0.5) return null;
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** Whether the page's lines begin at the right. */
export const isRightToLeft = (): boolean => getComputedStyle(document.body).direction === 'rtl';
