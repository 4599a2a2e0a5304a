// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { EarlierSession, Reading } from '../api/protocol';
import type { FocusedReading, Found } from './backend';
import type { Config } from './config';
import { Focus } from './focus';
import { Following } from './following';
import { isAtWork, withoutTitles } from './names';
import { pastSessions } from './past';
import { translated } from './phrases';
import type { Counting } from './promptFiles/weights';
import { byFullness, Sessions } from './sessions';
import type { Supervisor } from './supervisor';

/** The part of a window that its sessions use. */
export interface SessionsHost {
  readonly supervisor: Supervisor;
  readonly log: vscode.LogOutputChannel;
  config(): Config;
  /** Reports whether another extension has closed a session. */
  hasEnded(session: string): boolean;
}

/** The sessions that a window knows, and which of them it shows. */
export class WindowSessions {
  readonly all = new Sessions();
  readonly focus: Focus;
  readonly following: Following;
  /** The model and the window of the last session that was shown while there was a daemon. */
  private last: Counting | undefined;

  constructor(private readonly host: SessionsHost) {
    this.focus = new Focus(
      this.all,
      (front) => this.askFocus(front),
      (reading) => this.isHere(reading),
      () => host.config().followFocus,
    );
    const call = <T>(method: string, params: object): Promise<T> => host.supervisor.call<T>(method, params);
    this.following = new Following({ call, config: () => host.config(), log: host.log });
  }

  /** The Reading that the status item shows; undefined if there is none. */
  get front(): Reading | undefined {
    const { shown } = this.focus;
    return shown && this.all.get(shown.session)?.reading;
  }

  /** The fullest other session of this window with a working agent, while the focused session's agent works too. */
  get beside(): Reading | undefined {
    const { front } = this;
    if (!front || !isAtWork(front)) {
      return undefined;
    }
    const [other] = this.roots()
      .here.filter((r) => r.session !== front.session && r.session !== front.parent && isAtWork(r))
      .sort(byFullness);
    return other;
  }

  /**
   * The model and the window for files: those of the session that the item shows. Without a daemon, those of the last
   * one are used, so that the number of a file does not change.
   */
  get counting(): Counting | undefined {
    const { front } = this;
    // A daemon that has just started has not sent any sessions yet, and may end before it does.
    if (front && this.host.supervisor.kind === 'daemon') {
      this.last = { model: front.model, limit: front.limit };
    }
    return front ?? (this.host.supervisor.kind === 'daemon' ? undefined : this.last);
  }

  /** Stores a Reading from a reply if its session is not known yet. */
  keep(reading: Reading): void {
    if (!this.all.get(reading.session) && !this.host.hasEnded(reading.session)) {
      this.all.put(this.named(reading), 'watched');
    }
  }

  /** Returns the Reading as it is shown: in the user's language, and without titles if the user hides them. */
  named(reading: Reading): Reading {
    return translated(this.host.config().titles ? reading : withoutTitles(reading));
  }

  /** Follows the sessions of this window, and stores those that exist. */
  async follow(): Promise<void> {
    for (const reading of await this.following.begin()) {
      if (!this.host.hasEnded(reading.session)) {
        this.all.put(this.named(reading), 'watched');
      }
    }
    await this.focus.askAgain();
  }

  private async askFocus(front: object): Promise<FocusedReading | null> {
    if (this.host.supervisor.kind !== 'daemon') {
      return null;
    }
    const reading = await this.host.supervisor.call<FocusedReading | null>('ctx/focus', front);
    if (reading) {
      this.keep(reading);
    }
    return reading;
  }

  isHere(reading: Reading): boolean {
    return this.all.get(reading.session)?.origin === 'api' || this.following.isHere(reading);
  }

  /** Returns the sessions without a parent: those of this window's folders, and the others. */
  roots(): { here: Reading[]; elsewhere: Reading[] } {
    const roots = this.all
      .all()
      .filter(({ reading }) => !reading.parent)
      .map(({ reading }) => reading);
    return { here: roots.filter((r) => this.isHere(r)), elsewhere: roots.filter((r) => !this.isHere(r)) };
  }

  /** Returns the sessions that the daemon has not read. */
  past(): Promise<EarlierSession[]> {
    return pastSessions((method, params) => this.host.supervisor.call(method, params), this.host.config().titles);
  }

  get canWiden(): boolean {
    return this.host.supervisor.kind === 'daemon' && !this.following.wide;
  }

  found(): Promise<Found | undefined> {
    const folder = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file');
    return this.host.supervisor.found(folder?.uri.fsPath);
  }

  /** Shows a session from now on. If it is not followed yet, its Reading is requested first. */
  async pin(session: string): Promise<void> {
    if (!this.all.get(session)) {
      const reading = await this.host.supervisor
        .call<Reading>('ctx/session/reading', { id: session })
        // A session that has not been read yet is read when ctx/focus names it.
        .catch(() => this.host.supervisor.call<Reading | null>('ctx/focus', { session }))
        .catch(() => undefined);
      if (reading) {
        this.keep(reading);
      }
    }
    this.focus.pin(session);
  }
}
