// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../wasm/js/types';
import type { Planned } from './adapter/plans';

/** The usage of a prompt, as its provider reports it. */
export interface Measured {
  provider: string;
  usage: object;
  /** Whether the answer is in it too: it is the whole conversation, and not the prompt before the answer. */
  whole?: boolean;
}

/** How much of what the site allows in some hours is used, as the site says. */
export interface Limit {
  window: string;
  /** In percent of what is allowed. */
  used: number;
  resets: number | null;
}

/** One piece of a conversation as a page shows it. */
export interface PageItem {
  kind: 'user' | 'assistant' | 'toolCalls' | 'toolResults' | 'reasoning' | 'system' | 'memory' | 'media';
  text: string;
  /** The name of the file whose text this is. */
  file?: string;
  /** The type of an image, as far as the page shows it. */
  mediaType?: string;
  width?: number;
  height?: number;
  /** Of what no page shows: how large it usually is. It has no text. */
  tokens?: number;
  /** A digest of everything above, by which both sides know what the other has. */
  digest: number;
}

/** What a page shows of a conversation, from the first piece on that the worker does not have. */
export interface Sync {
  type: 'sync';
  site: string;
  conversation: string;
  /** Which load of which page: what was measured in it is true in it alone. */
  page: string;
  /** The provider of the models that answer there; empty if the page does not say. */
  provider: string;
  /** Empty if the page has none; null if it cannot be read at the moment, and the one before stays. */
  model: string | null;
  /** The items from this index on. `before` is the digest of the items ahead of it. */
  from: number;
  before: number;
  items: PageItem[];
  draft: string;
  coverage: Coverage;
  planned: Planned;
  /** Whether the user pointed at the page: what its server reports is believed then. */
  pointed: boolean;
}

/** How much of a conversation was read, and what in it is not counted. */
export interface Coverage {
  /** How many turns were read. */
  read: number;
  /** How many there are, as far as the page says. */
  of: number;
  /** Whether there are earlier ones that were never seen, or may be. */
  more: boolean;
  /** What is no text, or whose text the page does not show. */
  files: number;
  pictures: number;
  reports: number;
  /** Turns in which nothing could be read. */
  unreadable: number;
  /** Whether what the page itself has loaded was used, and whether it was dropped for contradicting the page. */
  loaded: 'used' | 'contradicts' | 'none';
}

/** What the site's own answers tell besides the conversation, in this load of the page. */
export interface Aside {
  /** How much is used of what the site allows in some hours. */
  limits: Limit[];
  /** When the last answer in this conversation was heard, from which the site's cache runs; null if none was. */
  answered: number | null;
}

/** Whether a number can only be a least one. */
export const isPart = (c: Coverage): boolean =>
  c.more || c.read < c.of || c.files + c.pictures + c.reports + c.unreadable > 0;

/** From a content script to the worker. Each message except `gone` gets one answer. */
export type FromPage =
  | Sync
  | { type: 'draft'; text: string }
  | ({ type: 'usage' } & Measured)
  | { type: 'refused'; error: object; status: number }
  | { type: 'gone' };

/** What is said of a Reading, one line for each place. */
export interface Lines {
  badge: string;
  /** The badge's line for people who hear it, also the tip of the button in the browser's bar. */
  spoken: string;
  toolbar: string;
  popup: string;
  /** What is before every number: nothing where all was counted, ~ for an estimate, ≥ for a part. */
  sign: string;
  /** Why provider mode shows no measured percentage; empty where it does. */
  why: string;
}

/** A Reading with its lines, and its parts that depend on the page's own report. */
export type Told = Reading & { lines: Lines; reported: Reported };

export interface Reported {
  usage: boolean;
  window: boolean;
}

/** What the draft would pass if it were sent now: the line from which on the person is warned, or the window. */
export type Passes = 'line' | 'window';

/** From the worker to a content script. */
export type ToPage =
  /** `crossed` when the session has just reached another level, or what was said of it is over. */
  | { type: 'reading'; reading: Told; crossed: boolean; passes: Passes | null }
  /** The worker has these pieces, and not those that the page assumes. */
  | { type: 'have'; digests: number[] }
  /** No number can be given. */
  | { type: 'unknown'; reason: string };

/** A single request of a page or a popup, outside of a connection. */
export type Request =
  | { type: 'options' }
  /** The imported vocabularies have changed. */
  | { type: 'packs' }
  /** From the options: the person wants to point at the messages of a page, and has given the permission for it. */
  | { type: 'point'; address: string }
  /** From the picker: what was pointed at. */
  | { type: 'pointed'; user: string; assistant: string; draft: string }
  /** From the popup to a page. */
  | { type: 'show' };

/** A page's answer to `show`. */
export interface Shown {
  site: string;
  title: string;
  reading: Told | null;
  /** Why there is no Reading; empty where there is one. */
  reason: string;
}

/** FNV-1a over UTF-16 units, in 32 bits. */
export function digest(text: string, seed = 0x811c9dc5): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** Combines an item's digest with that of the items before it. */
export function chain(before: number, item: number): number {
  return (Math.imul(before ^ item, 0x01000193) + 1) >>> 0;
}
