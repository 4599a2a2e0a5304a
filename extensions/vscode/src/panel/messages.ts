// Copyright The ctx-lsp authors. MIT licence.

import type { History, Items, Reading } from '../../api/protocol';

/** What the extension sends to the page. */
export interface PanelState {
  readonly type: 'state';
  readonly reading: Reading;
  readonly agentName: string;
  readonly history: History | null;
  readonly items: Items | null;
  /** Which buttons make sense. */
  readonly can: { readonly transcript: boolean; readonly compact: boolean };
}

/** Sent once, before any state: everything the page says, in the person's language. */
export interface PanelWords {
  readonly type: 'words';
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Sent when there is no session to show. */
export interface PanelEmpty {
  readonly type: 'empty';
}

export type ToPage = PanelState | PanelWords | PanelEmpty;

/** What the page sends to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly act: 'copy' | 'transcript' | 'compact' | 'pick' }
  | { readonly type: 'session'; readonly session: string };

/** Reads a message of the page; anything else is ignored. */
export function fromPage(message: unknown): FromPage | undefined {
  const m = message as { type?: unknown; act?: unknown; session?: unknown } | null | undefined;
  if (m?.type === 'ready') {
    return { type: 'ready' };
  }
  if (m?.type === 'act' && (m.act === 'copy' || m.act === 'transcript' || m.act === 'compact' || m.act === 'pick')) {
    return { type: 'act', act: m.act };
  }
  if (m?.type === 'session' && typeof m.session === 'string') {
    return { type: 'session', session: m.session };
  }
  return undefined;
}
