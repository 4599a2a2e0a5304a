// Copyright The ctx-lsp authors. MIT licence.

import type { History } from '../../api/protocol';
import type { PanelRow } from '../../api/types';

/** A row of the panel in the user's language, at one moment. */
export type ShownRow = Pick<PanelRow, 'id' | 'tone' | 'share' | 'bar' | 'mark' | 'kind' | 'depth' | 'session'> &
  Pick<PanelRow, 'place' | 'action'> & {
    readonly label: string;
    readonly value: string;
    readonly note: string;
    readonly short?: string;
  };

/** A section of the panel in the user's language, at one moment. */
export interface ShownSection {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly ShownRow[];
}

/** The state that the extension sends to the page. */
export interface PanelState {
  readonly type: 'state';
  readonly session: string;
  /** The names of the session and of its agent. */
  readonly name: string;
  /** Whether the session is inactive. */
  readonly dim: boolean;
  /** A message that the numbers are outdated; empty while they are kept up to date. */
  readonly outdated: string;
  readonly panel: readonly ShownSection[];
  /** The limits of the account, as the agent has reported them; empty if it reports none. */
  readonly allowance: string;
  /** The vocabulary that the daemon offers for exact counts; empty without an offer. */
  readonly offer: string;
  readonly history: History | null;
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
