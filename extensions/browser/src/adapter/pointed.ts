// Copyright The ctx-lsp authors. MIT licence.

import { presets } from './all';
import { blank, itself, openai } from './blank';
import type { SiteData } from './data';
import { overridden } from './override';

/**
 * Any page that the user points at: with the preset of a program that users run themselves, or with selectors that the
 * options page keeps for its origin. The adapter reads only what these select, and does not guess a model.
 */
export interface Pointed {
  origin: string;
  /** The id of a preset; if it is set, there are no selectors. */
  preset?: string;
  user: string;
  assistant: string;
  draft: string;
  model: string;
}

export function generic(pointed: Pointed, imported: unknown = null): SiteData {
  const one = (s: string): string[] => (s === '' ? [] : [s]);
  const { host, hostname } = new URL(pointed.origin);
  const at = { id: pointed.origin, name: host, hosts: [hostname], pointed: true };
  const otherwise = pointed.model;
  const preset = presets.find((p) => p.id === pointed.preset);
  if (preset) {
    const { data } = overridden(preset, imported);
    return { ...data, ...at, name: `${data.name}, ${at.name}`, model: { ...data.model, otherwise } };
  }
  return {
    ...blank,
    ...at,
    conversation: ['^(/.*)$'],
    fresh: [],
    message: [...one(pointed.user), ...one(pointed.assistant)],
    user: one(pointed.user),
    drop: ['button', '[aria-hidden="true"]', 'style', 'script'],
    draft: one(pointed.draft),
    composer: [],
    theme: [],
    model: { ...blank.model, ...itself, otherwise },
    answers: openai,
  };
}

/**
 * Parses `address | preset | model` or `address | your messages | answers | field | model`; the last part, or the last
 * three, may be missing. Returns null for anything else.
 */
export function parsePointed(line: string, isSelector: (s: string) => boolean): Pointed | null {
  const [address = '', user = '', assistant = '', draft = '', model = ''] = line.split('|').map((s) => s.trim());
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNear(url.hostname))) return null;
  const preset = presets.find((p) => p.id === user.toLowerCase());
  if (preset) {
    if (draft || model) return null;
    return { origin: url.origin, preset: preset.id, user: '', assistant: '', draft: '', model: assistant };
  }
  if (!user && !assistant) return null;
  if (![user, assistant, draft].every((s) => s === '' || isSelector(s))) return null;
  return { origin: url.origin, user, assistant, draft, model };
}

/** Reports whether a host name or address is this machine's or one on a home network, where certificates are rare. */
export function isNear(host: string): boolean {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host))
    return /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      host,
    );
  if (host.startsWith('[')) return /^\[(?:::1\]|f[cd]|fe[89ab])/.test(host);
  return !host.includes('.') || /\.(?:local|lan|home|internal|localhost|home\.arpa|ts\.net)$/.test(host);
}

/** Formats the line that parsePointed parses. */
export const printPointed = (p: Pointed): string =>
  (p.preset
    ? [p.origin, p.preset, ...(p.model ? [p.model] : [])]
    : [p.origin, p.user, p.assistant, p.draft, p.model]
  ).join(' | ');

/** Returns the pattern of an origin's pages in the form that browsers expect, without a port. */
export const pagesOf = (p: Pointed): string => {
  const { protocol, hostname } = new URL(p.origin);
  return `${protocol}//${hostname}/*`;
};

// Test page: any, by the options page.
