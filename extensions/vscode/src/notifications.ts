// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Level, Reading } from '../api/protocol';
import type { Config } from './config';
import { fullness } from './fullness';
import { fullName, isDim } from './names';
import { requestsAhead } from './words';

/** The levels that are announced. */
type Told = Exclude<Level, 'ok'>;

/** What a person can do from a notification, besides dismissing it. */
export type AlertAct = 'panel' | 'compact' | 'handover' | 'transcript' | 'snooze';

/** What notifications need from the window. */
export interface AlertHost {
  config(): Config;
  reading(session: string): Reading | undefined;
  canRunCompaction(reading: Reading): boolean;
}

/** The command behind the links of a notification; the palette does not have it. */
export const alertCommand = 'ctx.alert.act';

/**
 * How long a level waits for the next one before it is told. A session may pass several at once, and an editor drops
 * the fourth notification of a second.
 */
const settleMs = 300;
/** How long an early warning stays. It is only information, and the status item goes on showing it. */
const soonMs = 60_000;
/** For how long nothing is announced of a snoozed session. */
const snoozeMs = 30 * 60_000;
/** How long no notification has stood when something less urgent may be asked. */
const calmMs = 10_000;

interface Toast {
  readonly level: Told;
  close(): void;
}

/**
 * The notifications, at most one for a session. A later level replaces the earlier one, and a notification that is not
 * true any more is removed. An editor lets an extension remove only notifications with progress, so each has a bar: it
 * shows how much of the way to the line is used. Nothing is done unasked.
 */
export class Alerts implements vscode.Disposable {
  private readonly toasts = new Map<string, Toast>();
  private readonly snoozed = new Map<string, ReturnType<typeof setTimeout>>();
  /** What waits until no notification stands. */
  private waiting: (() => void)[] = [];
  private calmTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: AlertHost) {}

  /** Announces that a session has reached a level. */
  tell(reading: Reading, level: Level): void {
    if (level === 'ok' || isDim(reading) || this.snoozed.has(reading.session)) {
      return;
    }
    if (this.host.config().notifications[level]) {
      this.toasts.get(reading.session)?.close();
      this.open(reading, level);
    }
  }

  /** Compares with a newer Reading, and removes a notification that is not true any more. */
  changed(reading: Reading): void {
    const toast = this.toasts.get(reading.session);
    if (toast && (rank[reading.compaction.level] < rank[toast.level] || isDim(reading))) {
      toast.close();
    }
  }

  /** Announces nothing of a session for half an hour; after it the level of that time is announced. */
  snooze(session: string): void {
    this.toasts.get(session)?.close();
    clearTimeout(this.snoozed.get(session));
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

  /** A person has read the notification. */
  dismiss(session: string): void {
    this.toasts.get(session)?.close();
  }

  /** A session is gone. */
  forget(session: string): void {
    this.toasts.get(session)?.close();
    clearTimeout(this.snoozed.get(session));
    this.snoozed.delete(session);
  }

  /** Resolves once no notification has stood for a while: what has time is not asked beside what is urgent. */
  calm(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.calmSoon();
    });
  }

  dispose(): void {
    this.waiting = [];
    this.calmSoon();
    for (const t of [...this.toasts.values()]) {
      t.close();
    }
    for (const timer of this.snoozed.values()) {
      clearTimeout(timer);
    }
  }

  /** Begins the wait of what waits, or begins it again; it stands still while a notification stands. */
  private calmSoon(): void {
    clearTimeout(this.calmTimer);
    if (this.waiting.length > 0 && this.toasts.size === 0) {
      this.calmTimer = setTimeout(() => {
        for (const go of this.waiting.splice(0)) {
          go();
        }
      }, calmMs);
    }
  }

  private open(reading: Reading, level: Told): void {
    const { session } = reading;
    let done = (): void => undefined;
    const closed = new Promise<void>((resolve) => (done = resolve));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const toast: Toast = {
      level,
      close: () => {
        clearTimeout(timer);
        if (this.toasts.get(session) === toast) {
          this.toasts.delete(session);
          this.calmSoon();
        }
        done();
      },
    };
    this.toasts.set(session, toast);
    this.calmSoon();
    timer = setTimeout(() => {
      timer = level === 'soon' ? setTimeout(() => toast.close(), soonMs) : undefined;
      void vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: dismissButton(),
          title: alertText(reading, level, this.host.canRunCompaction(reading)),
        },
        (progress, dismissed) => {
          dismissed.onCancellationRequested(() => toast.close());
          // The whole bar is drawn at once, because a moving bar would say that something is being done.
          progress.report({ increment: Math.min(100, Math.round(reading.compaction.percent ?? 100)) });
          return closed;
        },
      );
    }, settleMs);
  }
}

/**
 * Gives a notification a button. Only a notification with a button is shown whole, with its links; others are cut to
 * one line until a person opens them. The editor takes the button's name in the place of `true`, which its types do not
 * say; its own name, “Cancel”, would mean that the compaction could be cancelled.
 */
function dismissButton(): boolean {
  return vscode.l10n.t('Dismiss') as unknown as boolean;
}

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/** The text of a notification, with what can be done as links. */
export function alertText(reading: Reading, level: Told, canCompact: boolean): string {
  const links: [AlertAct, string][] = [['panel', vscode.l10n.t('What Fills It')]];
  links.push(['handover', vscode.l10n.t('Copy Facts for a Hand-over')]);
  if (canCompact) {
    links.push(['compact', vscode.l10n.t('Type the Compaction Command')]);
  }
  if (level !== 'soon' && reading.file) {
    links.push(['transcript', vscode.l10n.t('Open Transcript')]);
  }
  links.push(['snooze', vscode.l10n.t('Snooze')]);
  const acts = links.map(([act, title]) => `[${title}](command:${alertCommand}?${parameters([act, reading.session])})`);
  return `${level === 'soon' ? '' : '⚠ '}${sentence(reading, level)} ${acts.join(' · ')}`;
}

/** The arguments of a command as a link in a notification can contain them: without brackets and blanks. */
function parameters(values: string[]): string {
  return encodeURIComponent(JSON.stringify(values)).replace(/[()'!*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

/** What is to come stands before who it is, because an editor cuts the end of what it has no room for. */
function sentence(reading: Reading, level: Told): string {
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
