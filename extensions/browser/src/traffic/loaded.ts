// Copyright The ctx-lsp authors. MIT licence.

import { digest, type Limit, type Measured, type PageItem } from '../messages';

/** A message as the site's server stores it. */
export interface Message {
  id: string;
  parent: string | null;
  side: 'user' | 'assistant';
  /** The part of it that the page shows. Everything else is only in the items. */
  shown: string;
  items: PageItem[];
  files: number;
  pictures: number;
}

/** A conversation as the page itself has loaded it: all branches, or a sequence of messages. */
export interface Loaded {
  conversation: string;
  messages: Message[];
  /** The last message of the selected branch; null if the messages are in the conversation's order. */
  leaf: string | null;
  /** Whether the server has no earlier messages. */
  whole: boolean;
}

/** The facts in a response of the server. Each is used only if the site's file lists it for the endpoint. */
export interface Facts {
  conversation: string | null;
  loaded?: Loaded;
  /** An answer as it was streamed, including the parts that the page does not show. */
  answer?: { shown: string; items: PageItem[] };
  usage?: Measured[];
  /**
   * The answer that the usage belongs to, as a page shows it. If set, the usage applies only while the page ends with
   * that answer: general-purpose servers also get requests for titles and similar tasks.
   */
  measuredWith?: string;
  /** The model that answered, as the server names it. */
  model?: string;
  limits?: Limit[];
  /** Windows of models for this account, by their slugs; the slug is empty if the server has only one model. */
  windows?: Record<string, number>;
  /** Names that identify the account's plan. */
  plan?: string[];
}

/**
 * How many messages, how much text in all, and how much text in one message are read. A larger conversation is not read
 * at all.
 */
export const most = { messages: 20_000, text: 32_000_000, one: 4_000_000 };

export function piece(kind: PageItem['kind'], text: string, file = ''): PageItem {
  return { kind, text, ...(file && { file: file.slice(0, 200) }), digest: digest(text, digest(kind + file)) };
}

export function picture(width: unknown, height: unknown): PageItem {
  const [w, h] = [width, height].map((n) =>
    Number.isInteger(n) && (n as number) > 0 && (n as number) < 65_536 ? n : 1024,
  );
  return {
    kind: 'media',
    text: '',
    mediaType: 'image/png',
    width: w as number,
    height: h as number,
    digest: digest(`image ${w} ${h}`),
  };
}

/** Returns the conversation if it is within the bounds; otherwise undefined. */
export function bounded(loaded: Loaded): Loaded | undefined {
  if (loaded.messages.length === 0 || loaded.messages.length > most.messages) return undefined;
  let text = 0;
  for (const s of loaded.messages)
    for (const i of s.items) {
      if (i.text.length > most.one) return undefined;
      text += i.text.length;
    }
  return text <= most.text ? loaded : undefined;
}

/** Returns the messages of the branch that ends with a leaf, first to last. A circular chain ends where it repeats. */
export function branch(loaded: Loaded, leaf: string | null): Message[] {
  if (leaf === null) return loaded.messages;
  const byId = new Map(loaded.messages.map((s) => [s.id, s]));
  const out: Message[] = [];
  const seen = new Set<string>();
  for (let at = byId.get(leaf); at && !seen.has(at.id); at = at.parent === null ? undefined : byId.get(at.parent)) {
    seen.add(at.id);
    out.push(at);
  }
  return out.reverse();
}

/** Returns a value's fields if it is an object; otherwise an empty object. */
export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Parses a body as JSON; returns undefined if it is not JSON. */
export function json(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the events of a stream: the JSON after each `data:`. */
export function events(body: string): Record<string, unknown>[] {
  const out: Record<string, unknown>[] = [];
  for (const line of body.split('\n')) {
    if (!line.startsWith('data:') || line.length > most.one) continue;
    const value = json(line.slice(5));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      out.push(value as Record<string, unknown>);
    if (out.length >= 200_000) break;
  }
  return out;
}
