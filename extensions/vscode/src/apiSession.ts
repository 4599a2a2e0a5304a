// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
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

/** One call that a backend has applied since the ledger was saved. */
interface Entry {
  readonly method: string;
  readonly params: object;
}

/** After so many calls the ledger is saved, so that there is never much to tell again. */
const saveAfterCalls = 32;
/** And after so long a pause. */
const saveAfterMs = 1000;

/**
 * One conversation of another extension. Its calls run one after the other. What the backend has applied since the last
 * saved ledger is kept, so that after a restart, or a change from the daemon to the core, the session goes on
 * where it was. Texts are held only until that ledger is saved.
 */
export class ApiSession implements CtxSession {
  private readonly readings = new vscode.EventEmitter<Reading>();
  readonly onReading = this.readings.event;
  private latest: Reading | undefined;
  private ledger: unknown;
  private journal: Entry[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private toldGeneration = -1;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  private constructor(
    readonly id: string,
    private readonly caller: Caller,
    private readonly openParams: OpenOptions & { id: string },
    private readonly hooks: { changed(reading: Reading): void; show(id: string): void; closed(id: string): void },
    private readonly now: () => number,
  ) {}

  static async open(
    id: string,
    caller: Caller,
    options: OpenOptions,
    hooks: ApiSession['hooks'],
    now: () => number = Date.now,
  ): Promise<ApiSession> {
    const session = new ApiSession(id, caller, { ...options, id }, hooks, now);
    await session.inOrder(() => session.tellAgain());
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
    this.journal = [];
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

  private change(method: string, params: object): Promise<Reading> {
    // The time is told here: the core has no clock.
    const timed = { at: this.now(), ...params };
    return this.inOrder(async () => {
      this.mustBeOpen();
      await this.upToDate();
      const entry: Entry = { method, params: timed };
      this.journal.push(entry);
      try {
        this.take(await this.caller.call<Reading>(method, { ...timed, id: this.id }));
      } catch (error) {
        try {
          await this.recover(CallError.from(error));
        } catch (failure) {
          this.journal = this.journal.filter((e) => e !== entry);
          throw failure;
        }
      }
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

  /** After a failed call: when the backend itself is gone the next one applies the journal, this call included. */
  private async recover(failure: CallError): Promise<void> {
    switch (failure.kind) {
      case 'stopped':
      case 'silent':
        await this.caller.after(this.toldGeneration);
        return this.upToDate();
      case 'unknown_session':
        return this.tellAgain();
      default:
        throw failure;
    }
  }

  private async upToDate(): Promise<void> {
    if (this.toldGeneration !== this.caller.generation) {
      await this.tellAgain();
    }
  }

  /** Opens or restores the session on the backend that runs now, and applies what the ledger does not hold. */
  private async tellAgain(): Promise<void> {
    const reading = await this.begin();
    const { generation } = this.caller;
    let latest = reading;
    for (const { method, params } of this.journal) {
      latest = await this.caller.call<Reading>(method, { ...params, id: this.id });
    }
    this.toldGeneration = generation;
    this.take(latest);
  }

  private async begin(): Promise<Reading> {
    const start = (): Promise<Reading> =>
      this.ledger === undefined
        ? this.caller.call<Reading>('ctx/session/open', this.openParams)
        : this.caller.call<Reading>('ctx/session/restore', { id: this.id, ledger: this.ledger });
    try {
      return await start();
    } catch (error) {
      const failure = CallError.from(error);
      if (failure.kind !== 'session_exists' || this.latest === undefined) {
        throw failure;
      }
      // The backend remembers an older state of this very session.
      await this.caller.call('ctx/session/close', { id: this.id });
      return start();
    }
  }

  private take(reading: Reading): void {
    if (!this.closed) {
      this.latest = reading;
      this.hooks.changed(reading);
      this.readings.fire(reading);
    }
  }

  private saveSoon(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(
      () => void this.inOrder(() => this.save()).catch(() => undefined),
      this.journal.length >= saveAfterCalls ? 0 : saveAfterMs,
    );
  }

  private async save(): Promise<void> {
    if (!this.closed && this.toldGeneration === this.caller.generation) {
      const { ledger } = await this.caller.call<{ ledger: unknown }>('ctx/session/save', { id: this.id });
      this.ledger = ledger;
      this.journal = [];
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
