// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count, CtxApi, CtxSession, OpenOptions } from '../api/ctx-lsp';
import type { Reading } from '../api/protocol';
import { ApiSession, type Caller } from './apiSession';

/** The parts of the window that the API needs. */
export interface ApiHost {
  readonly caller: Caller;
  changed(reading: Reading): void;
  show(session: string): void;
  closed(session: string): void;
  /** Returns the sessions that this window follows: those of agents and those of extensions. */
  sessions(): readonly Reading[];
  /** Returns the session that the status item shows; undefined if there is none. */
  front(): Reading | undefined;
}

/** The sessions of other extensions. */
export class ApiSessions implements vscode.Disposable {
  private readonly open = new Map<string, ApiSession>();
  /** Sessions that wait for their first Reading. */
  private readonly opening = new Set<string>();
  private opened = 0;
  private readonly sessionsChanged = new vscode.EventEmitter<readonly Reading[]>();
  private readonly frontChanged = new vscode.EventEmitter<Reading | undefined>();
  private front: Reading | undefined;

  /** The object that `activate` returns to other extensions. */
  readonly exports: CtxApi;

  constructor(private readonly host: ApiHost) {
    this.exports = this.exported();
  }

  private readonly calls: Pick<CtxApi, 'open' | 'count'> = {
    open: (options) => this.openSession(options ?? {}),
    count: (text, options) => {
      const what = typeof text === 'string' ? { text } : { texts: text };
      return this.host.caller.call<Count>('ctx/count', { ...options, ...what });
    },
  };

  private exported(): CtxApi {
    const { host } = this;
    return {
      version: 1,
      get sessions() {
        return host.sessions();
      },
      get front() {
        return host.front();
      },
      onDidChangeSessions: this.sessionsChanged.event,
      onDidChangeFront: this.frontChanged.event,
      ...this.calls,
    };
  }

  /** Notifies other extensions of changes in what the window shows. */
  drawn(): void {
    this.sessionsChanged.fire(this.host.sessions());
    const front = this.host.front();
    if (front !== this.front) {
      this.front = front;
      this.frontChanged.fire(front);
    }
  }

  /** Sends every session to a new backend. */
  moved(): void {
    for (const session of this.open.values()) {
      session.moved();
    }
  }

  /** Requests the Readings again, because a setting has changed how they look. */
  again(): void {
    for (const session of this.open.values()) {
      session.again();
    }
  }

  /**
   * Reports whether a Reading belongs to a session that was opened here and has ended. A Reading that was on its way
   * when the session was closed still arrives, and must not bring it back. Ids are never reused, whichever backend
   * runs.
   */
  hasEnded(session: string): boolean {
    const [, number] = /^vscode-([1-9]\d*)$/.exec(session) ?? [];
    return (
      number !== undefined && Number(number) <= this.opened && !this.open.has(session) && !this.opening.has(session)
    );
  }

  dispose(): void {
    for (const session of [...this.open.values()]) {
      session.dispose();
    }
    this.sessionsChanged.dispose();
    this.frontChanged.dispose();
  }

  private async openSession(options: OpenOptions): Promise<CtxSession> {
    const id = `vscode-${++this.opened}`;
    const folder = vscode.workspace.workspaceFolders?.[0];
    const workspace = options.workspace ?? (folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined);
    this.opening.add(id);
    try {
      const session = await ApiSession.open(
        id,
        this.host.caller,
        { ...options, ...(workspace === undefined ? {} : { workspace }) },
        {
          changed: (reading) => this.host.changed(reading),
          show: (session) => this.host.show(session),
          closed: (session) => {
            this.open.delete(session);
            this.host.closed(session);
          },
        },
      );
      this.open.set(id, session);
      return session;
    } finally {
      this.opening.delete(id);
    }
  }
}
