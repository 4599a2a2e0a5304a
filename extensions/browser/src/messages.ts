// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../wasm/js/types';
import type { Planned } from './adapter/plans';

/** The usage of a prompt, as its provider reports it. */
export interface Measured {
  provider: string;
  usage: object;
  /**
   * Whether it includes the answer, so that it measures the whole conversation and not only the prompt before the
   * answer.
   */
  whole?: boolean;
}

/** How much of a usage limit is used, as reported by the site. */
export interface Limit {
  window: string;
  /** The used part in percent. */
  used: number;
  resets: number | null;
}

/** An item of a conversation as a page shows it. */
export interface PageItem {
  kind: 'user' | 'assistant' | 'toolCalls' | 'toolResults' | 'reasoning' | 'system' | 'memory' | 'media';
  text: string;
  /** The name of the file that contains this text. */
  file?: string;
  /** The type of an image, if the page shows it. */
  mediaType?: string;
  width?: number;
  height?: number;
  /** The usual size of content that no page shows; such an item has no text. */
  tokens?: number;
  /** A digest of all fields above. Page and worker use it to compare what they have. */
  digest: number;
}

/** The items that a page shows, starting at the first one that the worker does not have. */
export interface Sync {
  type: 'sync';
  site: string;
  conversation: string;
  /** Identifies this load of the page. Measurements are valid only within it. */
  page: string;
  /** The provider of the models on this site; empty if the page does not show it. */
  provider: string;
  /** Empty if the page has none; null if it cannot be read at the moment, so that the previous one stays. */
  model: string | null;
  /** The index of the first of these items. `before` is the digest of the items before it. */
  from: number;
  before: number;
  items: PageItem[];
  draft: string;
  coverage: Coverage;
  planned: Planned;
  /** Whether the user pointed at the page, so that its server's reports are trusted. */
  pointed: boolean;
}

/** How much of a conversation was read, and which parts of it are not counted. */
export interface Coverage {
  /** How many turns were read. */
  read: number;
  /** How many turns there are, as far as the page shows. */
  of: number;
  /** Whether there are, or may be, earlier turns that were never seen. */
  more: boolean;
  /** Content other than text, or text that the page does not show. */
  files: number;
  pictures: number;
  reports: number;
  /** Turns without readable content. */
  unreadable: number;
  /** Whether the data that the page has loaded was used, or dropped because it contradicts the page. */
  loaded: 'used' | 'contradicts' | 'none';
}

/** Information other than the conversation from the site's own responses, in this load of the page. */
export interface Aside {
  /** How much of each usage limit is used. */
  limits: Limit[];
  /** When the last answer in this conversation was received, which starts the site's cache time; null if none was. */
  answered: number | null;
}

/** Reports whether the number can only be a lower bound. */
export const isPart = (c: Coverage): boolean =>
  c.more || c.read < c.of || c.files + c.pictures + c.reports + c.unreadable > 0;

/** From a content script to the worker. Each message except `gone` gets one reply. */
export type FromPage =
  | Sync
  | { type: 'draft'; text: string }
  | ({ type: 'usage' } & Measured)
  | { type: 'refused'; error: object; status: number }
  | { type: 'gone' };

/** The texts for a Reading, one for each location. */
export interface Lines {
  badge: string;
  /** The badge's line for screen readers; also the tooltip of the toolbar button. */
  spoken: string;
  toolbar: string;
  popup: string;
  /** The prefix of every number: empty if everything was counted, ~ for an estimate, ≥ for a part. */
  sign: string;
  /** Why provider mode shows no measured percentage; empty if it does. */
  why: string;
}

/** A Reading with its lines, and flags for the parts that rely on the page's own report. */
export type ShownReading = Reading & { lines: Lines; reported: Reported };

export interface Reported {
  usage: boolean;
  window: boolean;
}

/** The limit that the draft would pass if it were sent now: the user's alert threshold or the window. */
export type Passes = 'threshold' | 'window';

/** From the worker to a content script. */
export type ToPage =
  /**
   * `crossed` is set if the session has just reached another level, or an earlier message about it no longer applies.
   */
  | { type: 'reading'; reading: ShownReading; crossed: boolean; passes: Passes | null }
  /** The worker has these items, and not those that the page assumes. */
  | { type: 'have'; digests: number[] }
  /** The number is unknown. */
  | { type: 'unknown'; reason: string };

/** A single request from a page or a popup, outside of a connection. */
export type Request =
  | { type: 'options' }
  /** The imported vocabularies have changed. */
  | { type: 'packs' }
  /** From the options: the user wants to point at the messages of a page, and has granted permission for it. */
  | { type: 'point'; address: string }
  /** From the picker: the selectors of what the user pointed at. */
  | { type: 'pointed'; user: string; assistant: string; draft: string }
  /** From the popup to a page. */
  | { type: 'show' };

/** A page's reply to `show`. */
export interface Shown {
  site: string;
  title: string;
  reading: ShownReading | null;
  /** Why there is no Reading; empty if there is one. */
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
