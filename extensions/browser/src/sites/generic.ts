// Copyright The ctx-lsp authors. MIT licence.

import { outermost, type Site, visibleText } from './site';

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

export function generic(pointed: Pointed): Site {
  const either = [pointed.user, pointed.assistant].filter(Boolean).join(', ');
  return {
    id: pointed.origin,
    name: new URL(pointed.origin).host,
    provider: '',
    attributes: ['class'],
    matches: (url) => url.origin === pointed.origin,
    conversation: (url) => url.pathname,
    model: () => pointed.model || null,
    messages: (page) => outermost(page, either),
    kind: (message) => (pointed.user && message.matches(pointed.user) ? 'user' : 'assistant'),
    text: (message) => visibleText(message, 'button, [aria-hidden="true"], style, script'),
    attachments: (message) => ({ images: [...message.querySelectorAll('img')], files: 0 }),
    draft: (page) => (pointed.draft ? page.querySelector<HTMLElement>(pointed.draft) : null),
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
