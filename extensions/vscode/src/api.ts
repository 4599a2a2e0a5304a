// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count, CtxApi, CtxSession, OpenOptions } from '../api/ctx-lsp';
import type { Reading } from '../api/protocol';
import { ApiSession, type Caller } from './apiSession';

/** What the API needs from the window. */
export interface ApiHost {
  readonly caller: Caller;
  changed(reading: Reading): void;
  show(session: string): void;
  closed(session: string): void;
  /** The sessions that are followed in this window, those of agents and those of extensions. */
  sessions(): readonly Reading[];
  /** The session that the status item shows. */
  front(): Reading | undefined;
}

/** The sessions of other extensions. */
export class ApiSessions implements vscode.Disposable {
  private readonly open = new Map<string, ApiSession>();
  /** The sessions whose first Reading has not come yet. */
  private readonly opening = new Set<string>();
  private opened = 0;
  private readonly sessionsChanged = new vscode.EventEmitter<readonly Reading[]>();
  private readonly frontChanged = new vscode.EventEmitter<Reading | undefined>();
  private front: Reading | undefined;

  /** What `activate` returns to other extensions. */
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

  /** What the window shows has changed, and those who read it are told. */
  drawn(): void {
    this.sessionsChanged.fire(this.host.sessions());
    const front = this.host.front();
    if (front !== this.front) {
      this.front = front;
      this.frontChanged.fire(front);
    }
  }

  /** A new backend has begun, and is told every session. */
  moved(): void {
    for (const session of this.open.values()) {
      session.moved();
    }
  }

  /** A setting has changed how Readings look. */
  again(): void {
    for (const session of this.open.values()) {
      session.again();
    }
  }

  /**
   * Whether a Reading belongs to a session that was opened here and has ended. A Reading that was on its way when the
   * session was closed still arrives, and must not bring it back. No id is used twice, whatever backend runs.
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
