// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Level, OfferParams, Phrase, Reading } from '../api/protocol';

/** Where a backend runs: in the daemon's process, or in the WebAssembly module inside this extension. */
export type BackendKind = 'daemon' | 'core';

/** The events that a backend sends on its own. */
export type BackendEvent =
  /** A followed session has changed. */
  | { readonly type: 'reading'; readonly reading: Reading }
  /** A session has crossed a level, or an earlier announcement no longer applies. */
  | ({ readonly type: 'level' } & LevelCrossed)
  /** Another session has the focus, or none. */
  | { readonly type: 'focused'; readonly reading: FocusedReading | null }
  /** The daemon runs but cannot count, for the reason in `complaint`; or it can count again. */
  | { readonly type: 'health'; readonly complaint: string | undefined }
  /** A vocabulary would make the counts of a session exact. */
  | { readonly type: 'offer'; readonly offer: OfferParams }
  /** The search for sessions has ended. */
  | { readonly type: 'searched' }
  /** A followed session has ended. */
  | { readonly type: 'closed'; readonly session: string };

/**
 * A crossing of a level, as a backend reports it. The core's rule decides which ones are reported, for all front ends.
 */
export interface LevelCrossed {
  readonly session: string;
  readonly level: Level;
  /** `down` if nothing that was announced about the session applies any more. */
  readonly crossed: 'up' | 'down';
  /** Whether the level has risen higher than ever before in this session. */
  readonly first?: boolean;
  /** The session at that moment; its own Reading may still be on its way. */
  readonly reading: Reading;
}

/** The result of `ctx-lsp doctor --json` on this machine. */
export interface Found {
  readonly version: string;
  readonly agents: readonly FoundAgent[];
  /** The focused session of the folder; null if there is none. */
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
  /** Sentences about problems. */
  readonly odd: readonly string[];
  /** The same as phrases; null for a third-party sentence. */
  readonly oddPhrases: readonly (Phrase | null)[];
}

/** A path where an agent stores its sessions. */
export interface FoundAgent {
  readonly agent: string;
  readonly name: string;
  readonly path: string;
  /** The environment variable that changed the path. */
  readonly from?: string;
  readonly exists: boolean;
  readonly readable: boolean;
  readonly sessions: number;
  /** When the newest session changed, as a date. */
  readonly newest?: string;
}

/** A Reading with the reason why it is shown: a terminal, a file, or a workspace. */
export type FocusedReading = Reading & { readonly focus: NonNullable<Reading['focus']> };

/**
 * A running backend. Both kinds implement the same methods with the same numbers; only the daemon knows the sessions on
 * this machine's disk.
 */
export interface Backend extends vscode.Disposable {
  readonly kind: BackendKind;
  /** The version that the backend reports, for the log and for "Copy Diagnostics". */
  readonly version: string;
  /** The daemon's program; undefined for the core. */
  readonly program?: string;
  /** Sends one `ctx/…` call. Rejects with {@link CallError}. */
  call<T>(method: string, params: object): Promise<T>;
  /** Looks for agents and sessions on this machine's disk, and reports problems; undefined if there is no disk. */
  found?(folder: string | undefined): Promise<Found>;
  readonly onEvent: vscode.Event<BackendEvent>;
  /** Fires once if the backend ends on its own, with the reason. */
  readonly onEnded: vscode.Event<CallError>;
}

/** An error that the backend has returned. Its message is a sentence, and its kind is one of the protocol's. */
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

  /** Converts an error as any transport throws it. */
  static from(error: unknown): CallError {
    if (error instanceof CallError) {
      return error;
    }
    const e = error as { message?: unknown; code?: unknown; kind?: unknown; data?: { kind?: unknown } } | undefined;
    // The daemon's part is a separate bundle, so its CallError is another class, and its kind is not part of its data.
    const value = e?.kind ?? e?.data?.kind;
    const kind = typeof value === 'string' ? value : 'internal';
    const code = typeof e?.code === 'number' ? e.code : -32603;
    return new CallError(typeof e?.message === 'string' ? e.message : String(error), code, kind, e?.data);
  }
}
