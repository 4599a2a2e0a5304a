// Copyright The ctx-lsp authors. MIT licence.

import type { Ledger, OpenParams, Reading } from './types.js';

/** Carries out a method in the engine that answers now: `core.call`, or a request to the daemon. */
export type Call = (method: SessionMethod, params: object) => Promise<unknown>;

/** The methods that change a session once it is open. */
export type ChangingMethod = 'ctx/session/update' | 'ctx/session/usage' | 'ctx/session/error' | 'ctx/session/compacted';

/** The methods that a journal calls. */
export type SessionMethod =
  | ChangingMethod
  | 'ctx/session/open'
  | 'ctx/session/restore'
  | 'ctx/session/save'
  | 'ctx/session/close';

/**
 * What a host keeps of a session so that it outlives its engine: its beginning, which is the parameters it was opened
 * with or its last ledger, and the calls since. Texts are held until a ledger is saved. A host makes one call after the
 * other.
 */
export class Journal {
  /** A session that begins with these parameters of ctx/session/open. */
  constructor(open: OpenParams & { id: string });
  /** A session that goes on from a ledger. */
  static from(id: string, ledger: Ledger): Journal;
  readonly id: string;
  /** How many calls no ledger holds yet. */
  readonly unsaved: number;
  /** Whether the ledger is to be saved now, because the calls are as long as it is. */
  readonly heavy: boolean;
  /**
   * Tells the session to an engine that does not have it, or not as it is here. At first a session of this id that is
   * there already is an error of kind `session_exists`; later it is an earlier state of this one, and is closed.
   */
  tell(call: Call): Promise<Reading>;
  /**
   * Makes a call that changes the session, and keeps it unless it fails. `recover` is asked after a failure: it may
   * wait for another engine and resolve to what `tell` does, which makes this call again. When it rejects, this does.
   */
  change(
    call: Call,
    method: ChangingMethod,
    params: object,
    recover?: (error: unknown) => Promise<Reading>,
  ): Promise<Reading>;
  /** Takes the last call back, which no ledger may hold yet. The session must then be told again. */
  takeBack(): void;
  /** Saves the ledger, and keeps no longer the calls that it holds. */
  save(call: Call): Promise<Ledger>;
}
