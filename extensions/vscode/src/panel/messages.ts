// Copyright The ctx-lsp authors. MIT licence.

import type { History, Items, Reading } from '../../api/protocol';

/** The state that the extension sends to the page. */
export interface PanelState {
  readonly type: 'state';
  readonly reading: Reading;
  /** The names of the session and of its agent. */
  readonly name: string;
  /** Its model, state, branch and age. */
  readonly standing: readonly string[];
  /** A message that the numbers are outdated; empty while they are kept up to date. */
  readonly outdated: string;
  /** The sentence at the top of the page. */
  readonly lead: string;
  /** A sentence about when it compacts; empty if its agent has no compaction threshold. */
  readonly forecast: string;
  /** The cost of coming back now; empty if that is not recorded. */
  readonly back: string;
  /** The breaks of the prompt cache; empty without any. */
  readonly breaks: string;
  /** The limits of the account, as the agent has reported them; empty if it reports none. */
  readonly allowance: string;
  /** Why there is no measured percentage; empty if there is one, and outside of provider mode. */
  readonly unmeasured: string;
  /** The vocabulary that the daemon offers for exact counts; empty without an offer. */
  readonly offer: string;
  /** The names of its sub-agents, by their sessions. */
  readonly names: Readonly<Record<string, string>>;
  readonly history: History | null;
  readonly items: Items | null;
  /** Which buttons are shown, and whether named items open their line in the transcript. */
  readonly can: { readonly transcript: boolean; readonly compact: boolean; readonly place: boolean };
}

/** All words of the page in the user's language, sent once, before any state. */
export interface PanelWords {
  readonly type: 'words';
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
}

/** The reason why there is no session to show, and what the user can do about it. */
export interface PanelEmpty {
  readonly type: 'empty';
  readonly sentence: string;
  readonly ways: readonly { readonly way: string; readonly title: string }[];
}

export type ToPage = PanelState | PanelWords | PanelEmpty;

/** The user's actions on the page. */
export const panelActs = ['handover', 'compact', 'transcript', 'copy', 'pick'] as const;
export type PanelAct = (typeof panelActs)[number];

/** The messages that the page sends to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly act: PanelAct }
  | { readonly type: 'way'; readonly way: string }
  | { readonly type: 'offer'; readonly fetch: boolean }
  | { readonly type: 'session'; readonly session: string }
  | { readonly type: 'place'; readonly place: number };

/** Returns a message of the page; undefined for anything else. */
export function fromPage(message: unknown): FromPage | undefined {
  const m = message as
    | { type?: unknown; act?: unknown; way?: unknown; fetch?: unknown; session?: unknown; place?: unknown }
    | null
    | undefined;
  if (m?.type === 'ready') {
    return { type: 'ready' };
  }
  if (m?.type === 'act' && (panelActs as readonly unknown[]).includes(m.act)) {
    return { type: 'act', act: m.act as PanelAct };
  }
  if (m?.type === 'way' && typeof m.way === 'string') {
    return { type: 'way', way: m.way };
  }
  if (m?.type === 'offer' && typeof m.fetch === 'boolean') {
    return { type: 'offer', fetch: m.fetch };
  }
  if (m?.type === 'session' && typeof m.session === 'string') {
    return { type: 'session', session: m.session };
  }
  if (m?.type === 'place' && Number.isSafeInteger(m.place) && (m.place as number) > 0) {
    return { type: 'place', place: m.place as number };
  }
  return undefined;
}
