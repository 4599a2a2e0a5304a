// Copyright The ctx-lsp authors. MIT licence.

import { modelNamed } from '../adapter/models';
import type { Site } from '../adapter/site';

/** A line of the windows field: its effect, or the error as a message key and its arguments. */
export type Window = { key: string; tokens: number; site: string; model: string } | { wrong: [string, ...string[]] };

const mostTokens = 1_000_000_000;

/**
 * Parses `claude 200000`, `ChatGPT 32k`, `chatgpt/gpt-5-5-thinking 0.2M` or `https://chat.example.org 128,000`. A site
 * is identified by its id, name or address, and a model by any name that the site has for it.
 */
export function windowOf(line: string, sites: readonly Pick<Site, 'id' | 'name' | 'data'>[]): Window {
  const m = /^(.*\S)\s+(\S+)$/.exec(line.trim());
  const tokens = tokensOf(m?.[2] ?? '');
  if (!m || tokens === null) return { wrong: ['windowNoTokens', line] };
  if (tokens < 1 || tokens > mostTokens) return { wrong: ['windowTooLarge', line] };
  const wanted = m[1]!.toLowerCase();
  const site = sites.find((s) => [s.id, s.name].some((n) => begins(wanted, n.toLowerCase())));
  if (!site) return { wrong: ['windowNoSite', line, sites.map((s) => s.id).join(', ')] };
  const length = [site.id, site.name].find((n) => begins(wanted, n.toLowerCase()))!.length;
  const named = m[1]!.slice(length).replace(/^[/\s]+/, '');
  if (named === '') return { key: site.id, tokens, site: site.name, model: '' };
  const { names, ids } = site.data.model;
  const model = modelNamed(ids, named) ?? modelNamed(names, named) ?? named;
  return { key: `${site.id}/${model}`, tokens, site: site.name, model };
}

const begins = (line: string, name: string): boolean =>
  line === name || line.startsWith(`${name}/`) || line.startsWith(`${name} `);

/** Parses 200000, 200,000, 200.000, 200_000, 200k or 0.2M; returns null for anything else. */
function tokensOf(text: string): number | null {
  const m = /^(\d+(?:[.,]\d+)?)([km])$/i.exec(text);
  if (m) return Math.round(Number(m[1]!.replace(',', '.')) * (m[2]!.toLowerCase() === 'k' ? 1000 : 1_000_000));
  if (/^\d{1,3}(?:[.,_' ]\d{3})+$/.test(text)) return Number(text.replace(/\D/g, ''));
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}
