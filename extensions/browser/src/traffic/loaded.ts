// Copyright The ctx-lsp authors. MIT licence.

import { digest, type Limit, type Measured, type PageItem } from '../messages';

/** One message as the site's server has it. */
export interface Said {
  id: string;
  parent: string | null;
  side: 'user' | 'assistant';
  /** What the page shows of it. What it does not show is in the items only. */
  shown: string;
  items: PageItem[];
  files: number;
  pictures: number;
}

/** A conversation as the page itself has loaded it: every branch, or a line of messages. */
export interface Loaded {
  conversation: string;
  said: Said[];
  /** The last message of the branch that is chosen; null where the messages stand in the conversation's order. */
  leaf: string | null;
  /** Whether no earlier message is left on the server. */
  whole: boolean;
}

/** What one answer of the server tells. Each part counts only where the endpoint carries it by the site's file. */
export interface Facts {
  conversation: string | null;
  loaded?: Loaded;
  /** An answer as it was streamed, with what the page does not show of it. */
  answer?: { shown: string; items: PageItem[] };
  usage?: Measured[];
  /**
   * The answer with which that was measured, as a page shows it. Then it counts only while the page ends with that
   * answer: servers that answer anything are also asked for titles and the like.
   */
  measuredWith?: string;
  /** The model that answers, as the server names it. */
  model?: string;
  limits?: Limit[];
  /** Windows of models for this account, by their slugs; that of whichever model there is has none. */
  windows?: Record<string, number>;
  /** Names that say which plan the account has. */
  plan?: string[];
}

/** So many messages, and so much text, are read of one conversation; more is no chat, and is not read at all. */
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

/** A conversation within the bounds, or nothing. */
export function bounded(loaded: Loaded): Loaded | undefined {
  if (loaded.said.length === 0 || loaded.said.length > most.messages) return undefined;
  let text = 0;
  for (const s of loaded.said)
    for (const i of s.items) {
      if (i.text.length > most.one) return undefined;
      text += i.text.length;
    }
  return text <= most.text ? loaded : undefined;
}

/** The messages of the branch that ends with a leaf, first to last. A chain that runs in a circle ends. */
export function branch(loaded: Loaded, leaf: string | null): Said[] {
  if (leaf === null) return loaded.said;
  const byId = new Map(loaded.said.map((s) => [s.id, s]));
  const out: Said[] = [];
  const seen = new Set<string>();
  for (let at = byId.get(leaf); at && !seen.has(at.id); at = at.parent === null ? undefined : byId.get(at.parent)) {
    seen.add(at.id);
    out.push(at);
  }
  return out.reverse();
}

/** A value's fields where it is an object, and none where it is not. */
export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON of a body; undefined where it is none. */
export function json(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** The events of a stream, each the JSON behind `data:`. */
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
