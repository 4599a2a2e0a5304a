// Copyright The ctx-lsp authors. MIT licence.

import { blank } from './blank';
import type { SiteData } from './data';

/**
 * Any page that the person points at, by selectors that the options page keeps for its origin. The adapter reads only
 * what these select, and guesses no model.
 */
export interface Pointed {
  origin: string;
  user: string;
  assistant: string;
  draft: string;
  model: string;
}

export function generic(pointed: Pointed): SiteData {
  const one = (s: string): string[] => (s === '' ? [] : [s]);
  return {
    ...blank,
    id: pointed.origin,
    name: new URL(pointed.origin).host,
    hosts: [new URL(pointed.origin).hostname],
    conversation: ['^(/.*)$'],
    fresh: [],
    message: [...one(pointed.user), ...one(pointed.assistant)],
    user: one(pointed.user),
    drop: ['button', '[aria-hidden="true"]', 'style', 'script'],
    draft: one(pointed.draft),
    composer: [],
    theme: [],
    model: { ...blank.model, modes: [{ name: '', model: pointed.model }] },
  };
}

/**
 * Reads `address | your messages | answers | field | model`, of which the last three may be missing. Returns null for
 * anything else.
 */
export function parsePointed(line: string, isSelector: (s: string) => boolean): Pointed | null {
  const [address = '', user = '', assistant = '', draft = '', model = ''] = line.split('|').map((s) => s.trim());
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return null;
  if (!user && !assistant) return null;
  if (![user, assistant, draft].every((s) => s === '' || isSelector(s))) return null;
  return { origin: url.origin, user, assistant, draft, model };
}

/** Writes the line that parsePointed reads. */
export const printPointed = (p: Pointed): string => [p.origin, p.user, p.assistant, p.draft, p.model].join(' | ');

/** The pages of an origin as browsers write them, without a port. */
export const pagesOf = (p: Pointed): string => {
  const { protocol, hostname } = new URL(p.origin);
  return `${protocol}//${hostname}/*`;
};

// Test page: any, by the options page.
