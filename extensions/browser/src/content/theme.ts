// Copyright The ctx-lsp authors. MIT licence.

import type { Site } from '../adapter/site';

/** Returns the page's theme: the one that the site reports, otherwise the one that its background suggests. */
export function themeOf(site: Site): 'dark' | 'light' {
  const reported = site.theme(document);
  if (reported) return reported;
  for (const element of [document.body, document.documentElement]) {
    const light = lightness(getComputedStyle(element).backgroundColor);
    if (light !== null) return light < 0.5 ? 'dark' : 'light';
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Returns the lightness of a color, from 0 to 1; null if it is mostly transparent or its format is unknown. */
export function lightness(colour: string): number | null {
  const [, name = '', values = ''] = /^([a-z]+)\(([^)]*)\)/.exec(colour) ?? [];
  const space = name === 'color' ? /^\s*([\w-]+)/.exec(values)?.[1] : name;
  const numbers = values.replace(/^\s*[a-z][\w-]*/, '').match(/-?[\d.]+%?/g) ?? [];
  const of = (i: number, whole: number): number => {
    const text = numbers[i] ?? (i === 3 ? '1' : 'NaN');
    return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text) / (i === 3 ? 1 : whole);
  };
  if (Number.isNaN(of(0, 1)) || of(3, 1) < 0.5) return null;
  if (space === 'oklch' || space === 'oklab') return of(0, 1);
  if (space === 'lab' || space === 'lch') return of(0, 100);
  if (!/^(rgba?|srgb|display-p3|srgb-linear)$/.test(space ?? '')) return null;
  const whole = name.startsWith('rgb') ? 255 : 1;
  return 0.299 * of(0, whole) + 0.587 * of(1, whole) + 0.114 * of(2, whole);
}

/** Reports whether the page is written from right to left. */
export const isRightToLeft = (): boolean => getComputedStyle(document.body).direction === 'rtl';
