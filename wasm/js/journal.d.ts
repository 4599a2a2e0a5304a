// Copyright The ctx-lsp authors. MIT licence.

import type { Appendix, Ledger, OpenParams, Reading } from './types.js';

/** Runs a method in the current engine: `core.call`, or a request to the daemon. */
export type Call = (method: SessionMethod, params: object) => Promise<unknown>;

/** The methods that change an open session. */
export type ChangingMethod = 'ctx/session/update' | 'ctx/session/usage' | 'ctx/session/error' | 'ctx/session/compacted';

/** The methods that a journal calls. */
export type SessionMethod =
  | ChangingMethod
  | 'ctx/session/open'
  | 'ctx/session/restore'
  | 'ctx/session/save'
  | 'ctx/session/close';

/**
 * The data that a host keeps about a session so that it outlives its engine: its beginning (the parameters that it was
 * opened with, or its last ledger) and the calls since. Texts are kept until a ledger is saved. A host makes one call
 * after the other.
 */
export class Journal {
  /** Creates a journal of a session that begins with these parameters of ctx/session/open. */
  constructor(open: OpenParams & { id: string });
  /** Returns a journal of a session that continues from a ledger. */
  static from(id: string, ledger: Ledger): Journal;
  readonly id: string;
  /** The number of calls since the last ledger. */
  readonly unsaved: number;
  /** Whether the ledger should be saved now, because the calls are as long as it is. */
  readonly heavy: boolean;
  /**
   * Sends the session to an engine that does not have it, or has an earlier state of it. The first time, an existing
   * session with this id is an error of kind `session_exists`; later it is an earlier state of this one, and is closed.
   * If the engine refuses the journal's own ledger (`bad_ledger`), the session is opened as it was at first, with the
   * calls since the ledger; its Readings say that a part of its past is unknown.
   */
  tell(call: Call): Promise<Reading>;
  /**
   * Makes a call that changes the session, and keeps it unless it fails. `recover` is called after a failure: it may
   * wait for another engine and resolve to the result of `tell`, which repeats this call. If it rejects, so does this
   * method.
   */
  change(
    call: Call,
    method: ChangingMethod,
    params: object,
    recover?: (error: unknown) => Promise<Reading>,
  ): Promise<Reading>;
  /** Adds items or messages to the end of the conversation. */
  append(call: Call, ...items: readonly Appendix[]): Promise<Reading>;
  /** Removes the last call, which must not be part of a ledger yet. The session must then be sent again. */
  takeBack(): void;
  /** Saves the ledger, and drops the calls that it contains. */
  save(call: Call): Promise<Ledger>;
}
