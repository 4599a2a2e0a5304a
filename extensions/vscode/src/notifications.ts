// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Level, Reading } from '../api/protocol';
import type { Config } from './config';
import { isDim, nameOf } from './names';
import { lead, moment } from './words';

/** The levels that are announced. */
type AnnouncedLevel = Exclude<Level, 'ok'>;

/** An action that a notification offers. */
export type AlertAct = 'handover' | 'panel' | 'compact' | 'snooze';

/** The parts of the window that notifications need. */
export interface AlertHost {
  config(): Config;
  reading(session: string): Reading | undefined;
  /** Returns the number of sessions. */
  sessions(): number;
  canRunCompaction(reading: Reading): boolean;
  act(act: AlertAct, session: string): void;
}

/** How long a level waits for the next one before it is announced, because a session may pass several at once. */
const settleMs = 300;
/** How long a session stays snoozed. */
const snoozeMs = 30 * 60_000;
/**
 * How long it must be since the last notification before something less urgent may be asked: editors hide one after 18
 * seconds.
 */
const calmMs = 20_000;

/** A level that has yet to be announced. */
interface Waiting {
  readonly level: AnnouncedLevel;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Shows a notification each time a session gets near a compaction. Each is a plain message with buttons. The editor
 * hides it automatically, and nothing stays on the screen. A message cannot be withdrawn; the status item stays up to
 * date.
 */
export class Alerts implements vscode.Disposable {
  private readonly waiting = new Map<string, Waiting>();
  /** The announced sessions, each with its number of compactions at that time. */
  private readonly announced = new Map<string, number>();
  private readonly snoozed = new Map<string, ReturnType<typeof setTimeout>>();
  /** The pending callbacks of {@link calm}. */
  private patient: (() => void)[] = [];
  private calmTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: AlertHost) {}

  /** Announces that a session has reached a level. */
  announce(reading: Reading, level: Level): void {
    const { session, compaction } = reading;
    const known = this.snoozed.has(session) || this.announced.get(session) === compaction.count;
    if (level === 'ok' || isDim(reading) || known) {
      return;
    }
    if (this.host.config().notifications[level]) {
      this.dismiss(reading.session);
      const timer = setTimeout(() => void this.show(reading), settleMs);
      this.waiting.set(reading.session, { level, timer });
    }
  }

  /** Compares a waiting announcement with a newer Reading, and drops it if it no longer applies. */
  changed(reading: Reading): void {
    const waiting = this.waiting.get(reading.session);
    if (waiting && (rank[reading.compaction.level] < rank[waiting.level] || isDim(reading))) {
      this.dismiss(reading.session);
    }
  }

  /** Mutes a session for half an hour; after that, its level at that time is announced. */
  snooze(session: string): void {
    this.forget(session);
    this.snoozed.set(
      session,
      setTimeout(() => {
        this.snoozed.delete(session);
        const reading = this.host.reading(session);
        if (reading) {
          this.announce(reading, reading.compaction.level);
        }
      }, snoozeMs),
    );
  }

  /** Drops a level that waits to be announced. */
  dismiss(session: string): void {
    clearTimeout(this.waiting.get(session)?.timer);
    this.waiting.delete(session);
  }

  /** Forgets a closed session. */
  forget(session: string): void {
    this.dismiss(session);
    this.announced.delete(session);
    clearTimeout(this.snoozed.get(session));
    this.snoozed.delete(session);
  }

  /**
   * Resolves once no notification has appeared for a while, so that questions that can wait do not compete with urgent
   * ones.
   */
  calm(): Promise<void> {
    return new Promise((resolve) => {
      this.patient.push(resolve);
      this.calmSoon();
    });
  }

  dispose(): void {
    this.patient = [];
    clearTimeout(this.calmTimer);
    for (const session of [...this.waiting.keys(), ...this.snoozed.keys()]) {
      this.forget(session);
    }
  }

  /** Starts or restarts the wait for {@link calm}. */
  private calmSoon(): void {
    clearTimeout(this.calmTimer);
    this.calmTimer = setTimeout(() => {
      for (const go of this.patient.splice(0)) {
        go();
      }
    }, calmMs);
  }

  private async show(reading: Reading): Promise<void> {
    this.waiting.delete(reading.session);
    this.announced.set(reading.session, reading.compaction.count);
    this.calmSoon();
    // A handover note is written from a transcript, which sessions of other extensions do not have.
    const buttons = new Map<string, AlertAct>([
      reading.file ? [vscode.l10n.t('Hand Over…'), 'handover'] : [vscode.l10n.t('What Fills It'), 'panel'],
    ]);
    if (this.host.canRunCompaction(reading)) {
      buttons.set(vscode.l10n.t('Compact'), 'compact');
    }
    buttons.set(vscode.l10n.t('Later'), 'snooze');
    const chosen = await vscode.window.showWarningMessage(
      alertText(this.host.reading(reading.session) ?? reading, this.host.sessions()),
      ...buttons.keys(),
    );
    const act = chosen === undefined ? undefined : buttons.get(chosen);
    if (act) {
      this.host.act(act, reading.session);
    }
  }
}

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/**
 * Returns the text of a notification: one sentence, with the name of the session if there are several. A notification
 * cannot be changed, so it begins with the time at which its numbers were true.
 */
export function alertText(reading: Reading, sessions: number): string {
  const now = Date.now();
  const left = lead(reading, now);
  const text = sessions > 1 ? vscode.l10n.t('{0}: “{1}”.', left, nameOf(reading)) : vscode.l10n.t('{0}.', left);
  return unlinked(`${moment(now)} · ${text}`);
}

/** Replaces brackets, so that no part of a name from a transcript becomes a link. */
function unlinked(text: string): string {
  return text.replace(/[[\]]/g, (c) => (c === '[' ? '❲' : '❳'));
}
