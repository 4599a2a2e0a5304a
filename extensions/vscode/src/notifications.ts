// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Level, Reading } from '../api/protocol';
import type { Config } from './config';
import { fullName, isDim } from './names';
import { requestsAhead } from './words';

/** The levels that are told. */
type Told = Exclude<Level, 'ok'>;

/** What a person can do from a notification. */
export type AlertAct = 'panel' | 'compact' | 'handover' | 'transcript' | 'snooze' | 'dismiss';

/** What notifications need from the window. */
export interface AlertHost {
  config(): Config;
  reading(session: string): Reading | undefined;
  canRunCompaction(reading: Reading): boolean;
}

/** The command behind the links of a notification; it is none of the palette. */
export const alertCommand = 'ctx.alert.act';

/** How long an early warning stays: it is information, and the item goes on saying it. */
const soonMs = 60_000;
/** How long a snoozed session is not spoken of. */
const snoozeMs = 30 * 60_000;

interface Toast {
  readonly level: Told;
  close(): void;
}

/**
 * The notifications, at most one a session. A later level replaces the earlier one, and what is no longer so is taken
 * off the screen, which an editor lets an extension do with progress alone: the bar is how far the way to the line is
 * used up. Nothing is done unasked.
 */
export class Alerts implements vscode.Disposable {
  private readonly toasts = new Map<string, Toast>();
  private readonly snoozed = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly host: AlertHost) {}

  /** Tells that a session has reached a level. */
  tell(reading: Reading, level: Level): void {
    if (level === 'ok' || isDim(reading) || this.snoozed.has(reading.session)) {
      return;
    }
    if (this.host.config().notifications[level]) {
      this.toasts.get(reading.session)?.close();
      this.open(reading, level);
    }
  }

  /** Takes a newer Reading: a notification that is no longer true goes. */
  changed(reading: Reading): void {
    const toast = this.toasts.get(reading.session);
    if (toast && (rank[reading.compaction.level] < rank[toast.level] || isDim(reading))) {
      toast.close();
    }
  }

  /** Says nothing more of a session for half an hour; what it has come to by then is told. */
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

  /** A person has read it. */
  dismiss(session: string): void {
    this.toasts.get(session)?.close();
  }

  /** A session is gone. */
  forget(session: string): void {
    this.toasts.get(session)?.close();
    clearTimeout(this.snoozed.get(session));
    this.snoozed.delete(session);
  }

  dispose(): void {
    for (const t of [...this.toasts.values()]) {
      t.close();
    }
    for (const timer of this.snoozed.values()) {
      clearTimeout(timer);
    }
  }

  private open(reading: Reading, level: Told): void {
    const { session } = reading;
    let done = (): void => undefined;
    const closed = new Promise<void>((resolve) => (done = resolve));
    const timer = level === 'soon' ? setTimeout(() => toast.close(), soonMs) : undefined;
    const toast: Toast = {
      level,
      close: () => {
        clearTimeout(timer);
        if (this.toasts.get(session) === toast) {
          this.toasts.delete(session);
        }
        done();
      },
    };
    this.toasts.set(session, toast);
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        // The editor would call its button “Cancel”, as if a compaction could be: there is a link for it.
        cancellable: false,
        title: alertText(reading, level, this.host.canRunCompaction(reading)),
      },
      (progress) => {
        // The whole bar at once: one that runs to and fro would say that something is under way.
        progress.report({ increment: Math.min(100, Math.round(reading.compaction.percent ?? 100)) });
        return closed;
      },
    );
  }
}

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/** What a notification says, with what can be done about it as links. */
export function alertText(reading: Reading, level: Told, canCompact: boolean): string {
  const links: [AlertAct, string][] = [['panel', vscode.l10n.t('What Fills It')]];
  links.push(['handover', vscode.l10n.t('Copy Facts for a Hand-over')]);
  if (canCompact) {
    links.push(['compact', vscode.l10n.t('Type the Compaction Command')]);
  }
  if (level !== 'soon' && reading.file) {
    links.push(['transcript', vscode.l10n.t('Open Transcript')]);
  }
  links.push(['snooze', vscode.l10n.t('Snooze')], ['dismiss', vscode.l10n.t('Dismiss')]);
  const acts = links.map(([act, title]) => `[${title}](command:${alertCommand}?${parameters([act, reading.session])})`);
  return `${level === 'soon' ? '' : '⚠ '}${sentence(reading, level)} ${acts.join(' · ')}`;
}

/** Arguments of a command as a link of a notification may hold them: without brackets and blanks. */
function parameters(values: string[]): string {
  return encodeURIComponent(JSON.stringify(values)).replace(/[()'!*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

function sentence(reading: Reading, level: Told): string {
  const who = unlinked(fullName(reading));
  const d = reading.display;
  const used = `${d.mark}${reading.percent === null ? d.used : d.percent}`;
  const ahead = requestsAhead(reading);
  switch (level) {
    case 'soon':
      return ahead
        ? vscode.l10n.t(
            '{0}: {1} of its window is used. It compacts after another {2} tokens, {3}.',
            who,
            used,
            d.left,
            ahead,
          )
        : vscode.l10n.t('{0}: {1} of its window is used. It compacts after another {2} tokens.', who, used, d.left);
    case 'now':
      return vscode.l10n.t('{0}: {1} of its window is used. The next request may compact it.', who, used);
    case 'over':
      return vscode.l10n.t('{0}: {1} of its window is used. It compacts now.', who, used);
  }
}

/** A name that a transcript gave stays text: no part of it is read as a link. */
function unlinked(text: string): string {
  return text.replace(/[[\]]/g, (c) => (c === '[' ? '❲' : '❳'));
}
