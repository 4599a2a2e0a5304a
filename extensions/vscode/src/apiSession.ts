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
  /** Grows with every backend that begins: a session that was told to an earlier one must be told again. */
  readonly generation: number;
  /** Resolves when a later backend than that one answers; rejects when there will be none. */
  after(generation: number): Promise<void>;
}

/** The ledger is saved after so long a pause, so that texts are not held for longer than they are needed. */
const saveAfterMs = 1000;

/**
 * One conversation of another extension. Its calls run one after the other. Its journal lets the session go on where it
 * was after a restart, or a change from the daemon to the core.
 */
export class ApiSession implements CtxSession {
  private readonly readings = new vscode.EventEmitter<Reading>();
  readonly onReading = this.readings.event;
  private latest: Reading | undefined;
  private journal: Journal;
  private readonly call: Call;
  private queue: Promise<unknown> = Promise.resolve();
  private toldGeneration = -1;
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
    this.journal = new Journal({ id: this.id }); // what was told is held no longer
    this.hooks.closed(this.id);
    this.readings.dispose();
  }

  /** A new backend has begun: the session is told to it before anything else is. */
  moved(): void {
    if (!this.closed) {
      void this.inOrder(() => this.upToDate()).catch(() => undefined);
    }
  }

  /** Readings are to look otherwise: the last one is asked for again. */
  again(): void {
    void this.ask<Reading>('ctx/session/reading', {})
      .then((reading) => this.take(reading))
      .catch(() => undefined);
  }

  private change(method: ChangingMethod, params: object): Promise<Reading> {
    // The time is told here: the core has no clock.
    const timed = { at: this.now(), ...params };
    return this.inOrder(async () => {
      this.mustBeOpen();
      await this.upToDate();
      this.take(await this.journal.change(this.call, method, timed, (error) => this.recover(CallError.from(error))));
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

  /** After a failed call: when the backend itself is gone, the next one is told the session with this call. */
  private async recover(failure: CallError): Promise<JournalReading> {
    switch (failure.kind) {
      case 'stopped':
      case 'silent':
        await this.caller.after(this.toldGeneration);
        return this.tell();
      case 'unknown_session':
        return this.tell();
      default:
        throw failure;
    }
  }

  private async upToDate(): Promise<void> {
    if (this.toldGeneration !== this.caller.generation) {
      this.take(await this.tell());
    }
  }

  /** Tells the session to the backend that runs now. */
  private async tell(): Promise<JournalReading> {
    let begun: number | undefined;
    const reading = await this.journal.tell(async (method, params) => {
      const answer = await this.call(method, params);
      // Known only now, for the first call may have waited for a backend. One that comes later is told all of it again.
      begun ??= this.caller.generation;
      return answer;
    });
    this.toldGeneration = begun ?? -1;
    return reading;
  }

  private take(told: JournalReading | Reading): void {
    if (!this.closed) {
      // The API's type of a Reading also says which words some of its texts may be.
      const reading = told as Reading;
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
    if (!this.closed && this.toldGeneration === this.caller.generation) {
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

/** An Error has no members of its own that JSON would write; what providers put there is kept. */
function plainError(error: unknown): unknown {
  return error instanceof Error ? { ...error, message: error.message } : error;
}
