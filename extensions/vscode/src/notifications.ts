// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Level, Reading } from '../api/protocol';
import type { Config } from './config';
import { fullness } from './fullness';
import { fullName, isDim } from './names';
import { requestsAhead } from './words';

/** The levels that are announced. */
type Told = Exclude<Level, 'ok'>;

/** An action that a notification offers. */
export type AlertAct = 'handover' | 'panel' | 'compact' | 'snooze';

/** What notifications need from the window. */
export interface AlertHost {
  config(): Config;
  reading(session: string): Reading | undefined;
  canRunCompaction(reading: Reading): boolean;
  act(act: AlertAct, session: string): void;
}

/** How long a level waits for the next one before it is announced, because a session may pass several at once. */
const settleMs = 300;
/** For how long nothing is announced of a snoozed session. */
const snoozeMs = 30 * 60_000;
/** How long no notification has come when something less urgent may be asked: an editor hides one after 18 seconds. */
const calmMs = 20_000;

/** A level that waits to be announced. */
interface Waiting {
  readonly level: Told;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * The notifications: one for each level that a session reaches. Each is a plain message with buttons, which an editor
 * hides by itself and which leaves nothing on the screen. A message cannot be withdrawn; the status item stays true.
 */
export class Alerts implements vscode.Disposable {
  private readonly waiting = new Map<string, Waiting>();
  private readonly snoozed = new Map<string, ReturnType<typeof setTimeout>>();
  /** The callbacks of calm. */
  private patient: (() => void)[] = [];
  private calmTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: AlertHost) {}

  /** Announces that a session has reached a level. */
  tell(reading: Reading, level: Level): void {
    if (level === 'ok' || isDim(reading) || this.snoozed.has(reading.session)) {
      return;
    }
    if (this.host.config().notifications[level]) {
      this.dismiss(reading.session);
      const timer = setTimeout(() => this.show(reading, level), settleMs);
      this.waiting.set(reading.session, { level, timer });
    }
  }

  /** Compares with a newer Reading, and announces nothing that is not true any more. */
  changed(reading: Reading): void {
    const waiting = this.waiting.get(reading.session);
    if (waiting && (rank[reading.compaction.level] < rank[waiting.level] || isDim(reading))) {
      this.dismiss(reading.session);
    }
  }

  /** Announces nothing of a session for half an hour; after it the level of that time is announced. */
  snooze(session: string): void {
    this.forget(session);
    this.snoozed.set(
      session,
      setTimeout(() => {
        this.snoozed.delete(session);
        const reading = this.host.reading(session);
        if (reading) {
          this.tell(reading, reading.compaction.level);
        }
      }, snoozeMs),
    );
  }

  /** Does not announce a level that waits. */
  dismiss(session: string): void {
    clearTimeout(this.waiting.get(session)?.timer);
    this.waiting.delete(session);
  }

  /** Forgets a closed session. */
  forget(session: string): void {
    this.dismiss(session);
    clearTimeout(this.snoozed.get(session));
    this.snoozed.delete(session);
  }

  /** Resolves once no notification has come for a while, so that a question that can wait does not compete with it. */
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

  /** Starts the wait of calm, or starts it again. */
  private calmSoon(): void {
    clearTimeout(this.calmTimer);
    this.calmTimer = setTimeout(() => {
      for (const go of this.patient.splice(0)) {
        go();
      }
    }, calmMs);
  }

  private async show(reading: Reading, level: Told): Promise<void> {
    this.waiting.delete(reading.session);
    this.calmSoon();
    // A note is written from a transcript, which sessions of other extensions do not have.
    const buttons = new Map<string, AlertAct>([
      reading.file ? [vscode.l10n.t('Hand Over…'), 'handover'] : [vscode.l10n.t('What Fills It'), 'panel'],
    ]);
    if (this.host.canRunCompaction(reading)) {
      buttons.set(vscode.l10n.t('Compact'), 'compact');
    }
    buttons.set(vscode.l10n.t('Later'), 'snooze');
    const chosen = await vscode.window.showWarningMessage(alertText(reading, level), ...buttons.keys());
    const act = chosen === undefined ? undefined : buttons.get(chosen);
    if (act) {
      this.host.act(act, reading.session);
    }
  }
}

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/** The text of a notification. The warning is before the name, because an editor cuts the end of a long text. */
export function alertText(reading: Reading, level: Told): string {
  const who = unlinked(fullName(reading));
  const d = reading.display;
  const used = fullness(reading);
  const ahead = requestsAhead(reading);
  switch (level) {
    case 'soon':
      return ahead
        ? vscode.l10n.t('May compact in {3}: {0} ({2} tokens left, {1} of its window used).', who, used, d.left, ahead)
        : vscode.l10n.t('Compacts after {2} more tokens: {0} ({1} of its window used).', who, used, d.left);
    case 'now':
      return vscode.l10n.t('The next request may compact it: {0} ({1} of its window used).', who, used);
    case 'over':
      return vscode.l10n.t('Compacts now: {0} ({1} of its window used).', who, used);
  }
}

/** A name from a transcript stays text: no part of it becomes a link. */
function unlinked(text: string): string {
  return text.replace(/[[\]]/g, (c) => (c === '[' ? '❲' : '❳'));
}
