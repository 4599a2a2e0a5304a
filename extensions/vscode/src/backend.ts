// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Level, OfferParams, Phrase, Reading } from '../api/protocol';

/** Where a backend computes: in the daemon's process, or in the WebAssembly module inside this extension. */
export type BackendKind = 'daemon' | 'core';

/** What a backend sends unasked. */
export type BackendEvent =
  /** A session that is watched has changed. */
  | { readonly type: 'reading'; readonly reading: Reading }
  /** A session has crossed a level, or what was said of it is not true any more. */
  | ({ readonly type: 'level' } & LevelCrossed)
  /** Another session has come to be in front, or none. */
  | { readonly type: 'focused'; readonly reading: FocusedReading | null }
  /** The daemon runs but cannot count, for a reason that is a sentence; or it can count again. */
  | { readonly type: 'health'; readonly complaint: string | undefined }
  /** A vocabulary would make the counts of a session exact. */
  | { readonly type: 'offer'; readonly offer: OfferParams }
  /** A session that is watched has ended. */
  /** The search for sessions has ended. */
  | { readonly type: 'searched' }
  | { readonly type: 'closed'; readonly session: string };

/** What a backend tells of levels. The core's one rule decides what is worth telling, for every face. */
export interface LevelCrossed {
  readonly session: string;
  readonly level: Level;
  /** `down` when everything that was announced of the session is not true any more. */
  readonly crossed: 'up' | 'down';
  /** The level rises, further than ever before in this session. */
  readonly first?: boolean;
  /** The session at that moment; its own Reading may still be on its way. */
  readonly reading: Reading;
}

/** What `ctx-lsp doctor --json` has found on this machine. */
export interface Found {
  readonly version: string;
  readonly agents: readonly FoundAgent[];
  /** The session in front in the folder; null where there is none. */
  readonly session: {
    readonly session: string;
    readonly agent: string;
    readonly version: string;
    readonly path: string;
    readonly workspace: string;
    readonly model: string;
    readonly records: number;
    readonly skipped: number;
    readonly settings: Readonly<Record<string, string>> | null;
    readonly setup: string;
    readonly reading: Reading | null;
  } | null;
  readonly learned: { readonly path: string };
  readonly cache: string;
  /** Sentences about what is odd. */
  readonly odd: readonly string[];
  /** The same as phrases; null for a third-party sentence. */
  readonly oddPhrases: readonly (Phrase | null)[];
}

/** One place where an agent keeps its sessions. */
export interface FoundAgent {
  readonly agent: string;
  readonly name: string;
  readonly path: string;
  /** The environment variable that moved it. */
  readonly from?: string;
  readonly exists: boolean;
  readonly readable: boolean;
  readonly sessions: number;
  /** When the newest session changed, as a date. */
  readonly newest?: string;
}

/** A Reading, and the reason for which it is shown: a terminal, a file, or a workspace. */
export type FocusedReading = Reading & {
  readonly shown: string;
  /** Why it is the one that is shown, as a sentence. */
  readonly because?: string;
  /** The sessions that the agent in the terminal in front may be running, where that is not certain. */
  readonly candidates?: readonly string[];
};

/**
 * One running calculator. Both kinds answer the same methods with the same numbers;
 * only the daemon knows the sessions on this machine's disk.
 */
export interface Backend extends vscode.Disposable {
  readonly kind: BackendKind;
  /** The version as the backend says it, for the log and for "Copy Diagnostics". */
  readonly version: string;
  /** The daemon's program; absent where no process computes. */
  readonly program?: string;
  /** Sends one `ctx/…` call. Rejects with {@link CallError}. */
  call<T>(method: string, params: object): Promise<T>;
  /** Looks for agents and sessions on this machine's disk, and says what is odd; absent where there is no disk. */
  found?(folder: string | undefined): Promise<Found>;
  readonly onEvent: vscode.Event<BackendEvent>;
  /** Fires once when the backend has ended by itself, with the reason. */
  readonly onEnded: vscode.Event<CallError>;
}

/** An error that the calculator has answered. Its message is a sentence, and its kind one of the protocol's. */
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
    // The daemon's part is a bundle of its own, so its CallError is not this class, and its kind stands beside its
    // data.
    const told = e?.kind ?? e?.data?.kind;
    const kind = typeof told === 'string' ? told : 'internal';
    const code = typeof e?.code === 'number' ? e.code : -32603;
    return new CallError(typeof e?.message === 'string' ? e.message : String(error), code, kind, e?.data);
  }
}
