// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Level, OfferParams, Reading } from '../api/protocol';

/** Where a backend computes: the daemon's process, or the WebAssembly module inside this extension. */
export type BackendKind = 'daemon' | 'core';

/** What a backend tells unasked. */
export type BackendEvent =
  /** A session that is watched has changed. */
  | { readonly type: 'reading'; readonly reading: Reading }
  /** A session has crossed a level, or what was said of it is over. */
  | ({ readonly type: 'level' } & LevelCrossed)
  /** Another session has come to be in front, or none. */
  | { readonly type: 'focused'; readonly reading: FocusedReading | null }
  /** The daemon runs and cannot count, with the reason as a sentence; or it can again. */
  | { readonly type: 'health'; readonly complaint: string | undefined }
  /** A vocabulary would make the counts of a session exact. */
  | { readonly type: 'offer'; readonly offer: OfferParams }
  /** A session that is watched has ended. */
  | { readonly type: 'closed'; readonly session: string };

/** What a backend tells of levels. The core's one rule decides what is worth telling, for every face. */
export interface LevelCrossed {
  readonly session: string;
  readonly level: Level;
  /** `down` when whatever was said of the session is over. */
  readonly crossed: 'up' | 'down';
  /** Up, and never so far up before in this session. */
  readonly first?: boolean;
  /** The session as it was then; what is told of it apart may be on its way still. */
  readonly reading: Reading;
}

/** A Reading with what led to it from what is in front: a terminal, a file, a workspace. */
export type FocusedReading = Reading & {
  readonly shown: string;
  /** Why it is the one that is shown, as a sentence. */
  readonly because?: string;
  /** The sessions that the agent in the terminal in front may hold, where that is not certain. */
  readonly candidates?: readonly string[];
};

/**
 * One running calculator. Both kinds answer the same methods with the same numbers;
 * only the daemon knows the sessions on this machine's disk.
 */
export interface Backend extends vscode.Disposable {
  readonly kind: BackendKind;
  /** The version as the backend tells it, for the log and for "Copy Diagnostics". */
  readonly version: string;
  /** Sends one `ctx/…` call. Rejects with {@link CallError}. */
  call<T>(method: string, params: object): Promise<T>;
  readonly onEvent: vscode.Event<BackendEvent>;
  /** Fires once when the backend has ended by itself, with the reason as a sentence. */
  readonly onEnded: vscode.Event<string>;
}

/** An error that the calculator answered: its message is a sentence, its kind one of the protocol's. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly kind: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'CtxError';
  }

  /** Reads an error as any transport throws it. */
  static from(error: unknown): CallError {
    if (error instanceof CallError) {
      return error;
    }
    const e = error as { message?: unknown; code?: unknown; kind?: unknown; data?: { kind?: unknown } } | undefined;
    // The daemon's part is a bundle of its own: its CallError is not this class and has its kind beside its data.
    const told = e?.kind ?? e?.data?.kind;
    const kind = typeof told === 'string' ? told : 'internal';
    const code = typeof e?.code === 'number' ? e.code : -32603;
    return new CallError(typeof e?.message === 'string' ? e.message : String(error), code, kind, e?.data);
  }
}
