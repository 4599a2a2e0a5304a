// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { type Backend, type BackendEvent, CallError, type Found } from './backend';
import { RestartPolicy } from './restarts';
import type { Health, Trouble } from './trouble';

/** A started backend and its location. */
export interface Started {
  readonly backend: Backend;
  readonly where: string;
}

/** Thrown by a starter, with the reason why this kind of backend cannot be started. */
export class CannotStart extends Error {
  constructor(
    readonly trouble: Trouble,
    /** Whether another attempt may succeed: a crash may be temporary, but a missing program stays missing. */
    readonly retry: boolean,
  ) {
    super(trouble.sentence);
  }
}

/** Starts backends on this platform. */
export interface Starters {
  /** Returns undefined if processes cannot be started (VS Code for the Web) or the daemon is switched off. */
  readonly daemon: () => Promise<Started> | undefined;
  readonly core: () => Promise<Started>;
}

/** How long a call waits for a backend that is starting. */
const patienceMs = 20_000;

/**
 * Keeps one backend running: the daemon, which it restarts a few times, otherwise the core inside this extension.
 * Everything else in the extension makes its calls here.
 */
export class Supervisor implements vscode.Disposable {
  private readonly healthChanged = new vscode.EventEmitter<Health>();
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ready = new vscode.EventEmitter<Backend>();
  /** Fires at every change of {@link health}. */
  readonly onHealth = this.healthChanged.event;
  readonly onEvent = this.events.event;
  /** Fires whenever a backend has started, which must then be sent everything that it does not know. */
  readonly onReady = this.ready.event;

  private current: Health = { state: 'starting' };
  private backend: Backend | undefined;
  private policy = new RestartPolicy();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last start, so that results of abandoned starts are recognized. */
  private attempt = 0;
  /** The number of backends that have started. */
  private begun = 0;
  private disposed = false;

  constructor(
    private readonly starters: Starters,
    private readonly log: vscode.LogOutputChannel,
    private readonly now: () => number = Date.now,
  ) {}

  get health(): Health {
    return this.current;
  }

  get kind(): Backend['kind'] | undefined {
    return this.backend?.kind;
  }

  /** Grows with every backend that has started. */
  get generation(): number {
    return this.begun;
  }

  /** Resolves when a later backend than that one is running. */
  async after(generation: number): Promise<void> {
    if (this.begun <= generation) {
      await this.whenReady();
    }
  }

  start(): void {
    void this.startOnce(++this.attempt);
  }

  /** Ends the backend, forgets past failures and starts again. */
  restart(): void {
    this.policy.reset();
    this.drop();
    this.start();
  }

  /** Calls the backend, waiting for one that is still starting. */
  async call<T>(method: string, params: object): Promise<T> {
    const backend = this.backend ?? (await this.whenReady());
    return backend.call<T>(method, params);
  }

  /** Resolves when a backend is running, or when it is certain that none will. */
  async settled(): Promise<void> {
    if (!this.backend) {
      await this.whenReady().catch(() => undefined);
    }
  }

  /** The program of the running daemon; undefined if there is none. */
  get program(): string | undefined {
    return this.backend?.program;
  }

  /** Returns what is found on this machine's disk; undefined if the backend cannot read it. */
  async found(folder: string | undefined): Promise<Found | undefined> {
    return this.backend?.found?.(folder);
  }

  dispose(): void {
    this.disposed = true;
    this.drop();
    this.healthChanged.dispose();
    this.events.dispose();
    this.ready.dispose();
  }

  private whenReady(): Promise<Backend> {
    if (this.current.state === 'stopped') {
      return Promise.reject(new CallError(this.current.trouble.sentence, -32603, 'stopped', undefined));
    }
    return new Promise((resolve, reject) => {
      const listeners: vscode.Disposable[] = [];
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        for (const l of listeners) {
          l.dispose();
        }
        act();
      };
      const fail = (sentence: string) => settle(() => reject(new CallError(sentence, -32603, 'stopped', undefined)));
      const timer = setTimeout(() => fail(vscode.l10n.t('The token counter has not started yet.')), patienceMs);
      listeners.push(this.onReady((backend) => settle(() => resolve(backend))));
      listeners.push(this.onHealth((h) => h.state === 'stopped' && fail(h.trouble.sentence)));
    });
  }

  private async startOnce(attempt: number): Promise<void> {
    this.setHealth({ state: 'starting' });
    let trouble: Trouble | undefined;
    this.policy.started(this.now());
    const starting = this.starters.daemon();
    if (starting) {
      try {
        this.adopt(await starting, attempt, undefined);
        return;
      } catch (error) {
        if (this.stale(attempt)) {
          return;
        }
        const failure = error instanceof CannotStart ? error : crash(error);
        this.log.error(failure.trouble.sentence);
        if (failure.retry && this.retryLater(attempt)) {
          return;
        }
        trouble = failure.trouble;
      }
    }
    await this.startCore(attempt, trouble);
  }

  private async startCore(attempt: number, trouble: Trouble | undefined): Promise<void> {
    try {
      this.adopt(await this.starters.core(), attempt, trouble);
    } catch (error) {
      if (this.stale(attempt)) {
        return;
      }
      const sentence = error instanceof Error ? error.message : String(error);
      this.log.error(sentence);
      this.setHealth({ state: 'stopped', trouble: trouble ?? { kind: 'noCore', sentence } });
    }
  }

  private adopt(started: Started, attempt: number, trouble: Trouble | undefined): void {
    const { backend, where } = started;
    if (this.stale(attempt)) {
      backend.dispose();
      return;
    }
    this.backend = backend;
    this.begun += 1;
    backend.onEvent((event) => (event.type === 'health' ? this.complain(event.complaint) : this.events.fire(event)));
    backend.onEnded((reason) => this.endedByItself(backend, reason));
    this.log.info(`${backend.kind === 'daemon' ? 'Daemon' : 'Core'} ${backend.version} runs from ${where}.`);
    this.setHealth({
      state: 'ready',
      kind: backend.kind,
      version: backend.version,
      where,
      ...(trouble ? { trouble } : {}),
    });
    this.ready.fire(backend);
  }

  /** Handles a report of the backend that it cannot work, or that it can again. */
  private complain(sentence: string | undefined): void {
    const { current } = this;
    if (current.state === 'ready' && current.trouble?.sentence !== sentence) {
      const { trouble: _, ...well } = current;
      this.setHealth(sentence === undefined ? well : { ...well, trouble: { kind: 'noCore', sentence } });
    }
  }

  private endedByItself(backend: Backend, reason: CallError): void {
    if (this.backend !== backend || this.disposed) {
      return;
    }
    this.log.warn(reason.message);
    this.drop();
    const attempt = ++this.attempt;
    if (!this.retryLater(attempt)) {
      const sentence = vscode.l10n.t(
        '{0} It was restarted several times and ended each time; “Ctx: Restart the Daemon” tries again.',
        reason.message,
      );
      this.log.error(sentence);
      void this.startCore(attempt, { kind: reason.kind === 'silent' ? 'silent' : 'crashed', sentence });
    }
  }

  /** Schedules another start; returns false if it has failed too often. */
  private retryLater(attempt: number): boolean {
    const delay = this.policy.ended(this.now());
    if (delay === undefined) {
      return false;
    }
    this.setHealth({ state: 'starting' });
    this.timer = setTimeout(() => {
      if (!this.stale(attempt)) {
        void this.startOnce(attempt);
      }
    }, delay);
    return true;
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.attempt += 1;
    const backend = this.backend;
    this.backend = undefined;
    backend?.dispose();
  }

  private stale(attempt: number): boolean {
    return this.disposed || attempt !== this.attempt;
  }

  private setHealth(health: Health): void {
    if (!this.disposed) {
      this.current = health;
      this.healthChanged.fire(health);
    }
  }
}

/**
 * Returns the error for a failed start. A daemon that ended while it started may succeed at the next attempt; one that
 * was silent will not.
 */
function crash(error: unknown): CannotStart {
  const e = CallError.from(error);
  return e.kind === 'silent'
    ? new CannotStart({ kind: 'silent', sentence: e.message }, false)
    : new CannotStart(
        { kind: 'crashed', sentence: vscode.l10n.t('The daemon ended while it started: {0}', e.message) },
        true,
      );
}
