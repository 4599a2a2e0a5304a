// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from '../adapter/data';
import type { Planned } from '../adapter/plans';
import type { Coverage, PageItem, ShownReading } from '../messages';
import { outline } from './outline';

/** The content of a report, apart from the structure of the page itself. */
export interface Counted {
  site: SiteData;
  version: string;
  reading: ShownReading | null;
  coverage: Coverage | null;
  planned: Planned;
  model: string | null;
  mode: string | null;
  items: readonly PageItem[];
  /** How many of the page's responses were seen, by the patterns of the site's file. */
  responses: readonly (readonly [string, number])[];
}

const parts = [
  'turn',
  'shell',
  'message',
  'user',
  'tool',
  'body',
  'thinking',
  'files',
  'pictures',
  'reports',
  'draft',
  'composer',
  'send',
] as const;

/**
 * Returns a report on how the page was read: how much each selector found, the numbers, and an outline of the last
 * turns, which a test can turn into a page. It contains no text, title or address.
 */
export function report(page: Document, c: Counted): string {
  const { site, reading } = c;
  const view = page.defaultView ?? window;
  const lines = [
    `ctx-lsp ${c.version}, ${site.id}, ${browserOf(view.navigator.userAgent)}, ${view.innerWidth} x ${view.innerHeight}`,
    `address: ${patternOf(site, site.inHash ? view.location.hash : view.location.pathname)}`,
    '',
    'selectors that find something:',
  ];
  for (const part of parts) {
    for (const selector of site[part] ?? []) lines.push(`  ${part} ${selector}: ${count(page, selector)}`);
  }
  for (const { at } of [...site.model.slug, ...site.model.chosen, ...(site.modes?.places ?? []), ...site.theme])
    for (const selector of at) lines.push(`  model or theme ${selector}: ${count(page, selector)}`);
  lines.push('', 'responses:', ...c.responses.map(([path, n]) => `  ${path}: ${n}`));
  lines.push('', `model: ${c.model ?? 'unknown'}; mode: ${c.mode ?? 'unknown'}; window: ${JSON.stringify(c.planned)}`);
  lines.push(`covered: ${JSON.stringify(c.coverage)}`);
  const kinds = new Map<string, [number, number]>();
  for (const { kind, text } of c.items) {
    const [n, signs] = kinds.get(kind) ?? [0, 0];
    kinds.set(kind, [n + 1, signs + text.length]);
  }
  for (const [kind, [n, signs]] of kinds) lines.push(`  ${kind}: ${n} pieces, ${signs} signs`);
  if (reading) {
    const { used, limit, limitSource, basis, compaction, breakdown } = reading;
    lines.push(`used: ${used} (${basis}) of ${limit} (${limitSource}), level ${compaction.level}`);
    lines.push(`rows: ${breakdown.map((r) => `${r.kind} ${r.tokens} (${r.basis})`).join(', ')}`);
  }
  lines.push('', 'outline:', ...outline(page, site));
  return `${lines.join('\n')}\n`;
}

/** Returns the site's pattern that matches the address. The address itself would identify the conversation. */
function patternOf(site: SiteData, path: string): string {
  const fits = (p: string): boolean => new RegExp(p).test(path.slice(0, 400));
  return site.conversation.find(fits) ?? site.fresh.find(fits) ?? 'none of the site';
}

function found(page: Document, selector: string): Element[] {
  try {
    return [...page.querySelectorAll(selector)];
  } catch {
    return [];
  }
}

const count = (page: Document, selector: string): number => found(page, selector).length;

function browserOf(agent: string): string {
  return /(?:Firefox|Edg|Chrome)\/\d+/.exec(agent)?.[0] ?? 'another browser';
}
