// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { type Call, type ChangingMethod, Journal } from '../../../wasm/js/journal.js';
import type { Reading as JournalReading, OpenParams } from '../../../wasm/js/types';
import type { CtxSession, Item, OpenOptions, Update } from '../api/ctx-lsp';
import type { History, Items, Reading } from '../api/protocol';
import { CallError } from './backend';

/** The part of the supervisor that a session needs. */
export interface Caller {
  call<T>(method: string, params: object): Promise<T>;
  /** The number of the running backend. A session that an earlier backend had must be sent to this one. */
  readonly generation: number;
  /** Resolves when a backend with a higher number responds, and rejects if there will be none. */
  after(generation: number): Promise<void>;
}

/** How long after a change the ledger is saved. After that, the texts of the calls are no longer needed. */
const saveAfterMs = 1000;

/**
 * A conversation of another extension. Its calls run one after the other. Its journal contains what a new backend needs
 * to continue the session, after a restart or when the core replaces the daemon.
 */
export class ApiSession implements CtxSession {
  private readonly readings = new vscode.EventEmitter<Reading>();
  readonly onReading = this.readings.event;
  private latest: Reading | undefined;
  private journal: Journal;
  private readonly call: Call;
  private queue: Promise<unknown> = Promise.resolve();
  private openedGeneration = -1;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  private constructor(
    readonly id: string,
    private readonly caller: Caller,
    options: OpenOptions,
    private readonly hooks: { changed(reading: Reading): void; show(id: string): void; closed(id: string): void },
    private readonly now: () => number,
  ) {
    this.journal = new Journal({ ...(options as OpenParams), id });
    this.call = (method, params) => caller.call(method, params);
  }

  static async open(
    id: string,
    caller: Caller,
    options: OpenOptions,
    hooks: ApiSession['hooks'],
    now: () => number = Date.now,
  ): Promise<ApiSession> {
    const session = new ApiSession(id, caller, options, hooks, now);
    await session.inOrder(() => session.upToDate());
    return session;
  }

  get reading(): Reading {
    return this.latest as Reading;
  }

  append(...items: Item[]): Promise<Reading> {
    return this.change('ctx/session/update', { append: items });
  }

  update(change: Update): Promise<Reading> {
    return this.change('ctx/session/update', change);
  }

  usage(usage: unknown, options: object = {}): Promise<Reading> {
    return this.change('ctx/session/usage', { ...options, usage });
  }

  error(error: unknown, options: object = {}): Promise<Reading> {
    return this.change('ctx/session/error', { ...options, error: plainError(error) });
  }

  compacted(options: object = {}): Promise<Reading> {
    return this.change('ctx/session/compacted', options);
  }

  history(points = 200): Promise<History> {
    return this.ask('ctx/session/history', { points });
  }

  items(top = 20): Promise<Items> {
    return this.ask('ctx/session/items', { top });
  }

  show(): void {
    this.hooks.show(this.id);
  }

  dispose(): void {
    if (this.closed) {
      return;
    }
    clearTimeout(this.saveTimer);
    void this.inOrder(async () => {
      await this.caller.call('ctx/session/close', { id: this.id });
    }).catch(() => undefined);
    this.closed = true;
    this.journal = new Journal({ id: this.id }); // the texts of the old journal are no longer needed
    this.hooks.closed(this.id);
    this.readings.dispose();
  }

  /** Sends the session to a new backend before any other call. */
  moved(): void {
    if (!this.closed) {
      void this.inOrder(() => this.upToDate()).catch(() => undefined);
    }
  }

  /** Requests the last Reading again, because a setting has changed how it looks. */
  again(): void {
    void this.ask<Reading>('ctx/session/reading', {})
      .then((reading) => this.received(reading))
      .catch(() => undefined);
  }

  private change(method: ChangingMethod, params: object): Promise<Reading> {
    // The core has no clock, so each call contains its time.
    const timed = { at: this.now(), ...params };
    return this.inOrder(async () => {
      this.mustBeOpen();
      await this.upToDate();
      this.received(
        await this.journal.change(this.call, method, timed, (error) => this.recover(CallError.from(error))),
      );
      this.saveSoon();
      return this.reading;
    });
  }

  private ask<T>(method: string, params: object): Promise<T> {
    return this.inOrder(async () => {
      this.mustBeOpen();
      await this.upToDate();
      return this.caller.call<T>(method, { ...params, id: this.id });
    });
  }

  /**
   * Handles a failed call. If its backend has ended, the session is sent to the next one, with this call as the last.
   */
  private async recover(failure: CallError): Promise<JournalReading> {
    switch (failure.kind) {
      case 'stopped':
      case 'silent':
        await this.caller.after(this.openedGeneration);
        return this.reopen();
      case 'unknown_session':
        return this.reopen();
      default:
        throw failure;
    }
  }

  private async upToDate(): Promise<void> {
    if (this.openedGeneration !== this.caller.generation) {
      this.received(await this.reopen());
    }
  }

  /** Sends the session to the running backend. */
  private async reopen(): Promise<JournalReading> {
    let begun: number | undefined;
    const reading = await this.journal.tell(async (method, params) => {
      const answer = await this.call(method, params);
      // The first call may have waited for a backend, so only its reply shows which one it was. If another backend has
      // started in the meantime, the session is sent again.
      begun ??= this.caller.generation;
      return answer;
    });
    this.openedGeneration = begun ?? -1;
    return reading;
  }

  private received(answer: JournalReading | Reading): void {
    if (!this.closed) {
      // The API's type of a Reading lists the possible values of some of its texts.
      const reading = answer as Reading;
      this.latest = reading;
      this.hooks.changed(reading);
      this.readings.fire(reading);
    }
  }

  private saveSoon(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(
      () => void this.inOrder(() => this.save()).catch(() => undefined),
      this.journal.heavy ? 0 : saveAfterMs,
    );
  }

  private async save(): Promise<void> {
    if (!this.closed && this.openedGeneration === this.caller.generation) {
      await this.journal.save(this.call);
    }
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private mustBeOpen(): void {
    if (this.closed) {
      throw new CallError(`The session ${this.id} was closed.`, 1001, 'unknown_session', {
        kind: 'unknown_session',
        session: this.id,
      });
    }
  }
}

/**
 * Copies an Error with its message and the members that a provider's library has added. JSON would omit the message.
 */
function plainError(error: unknown): unknown {
  return error instanceof Error ? { ...error, message: error.message } : error;
}
