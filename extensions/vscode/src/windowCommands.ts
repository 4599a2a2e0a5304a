// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { EarlierSession, Reading } from '../api/protocol';
import { type Absence, ways } from './absence';
import { type Actions, showAbsence } from './actions';
import type { Config } from './config';
import type { FitsHost } from './fit/fits';
import { foundText } from './found';
import type { AlertAct, Alerts } from './notifications';
import type { Pages } from './pages';
import type { PanelAct } from './panel/messages';
import type { PanelWhenShown } from './panel/whenShown';
import type { PickerView } from './picker';
import type { Platform } from './platform';
import type { Forgotten } from './retold/forgot';
import type { HandoverHost } from './retold/handover';
import { setupCommands } from './setup';
import { besideCommand } from './statusItem';
import type { Supervisor } from './supervisor';
import type { SessionNode } from './view/sessionNodes';
import type { WindowSessions } from './windowSessions';

/** The part of a window that its commands use. */
export interface CommandsHost {
  readonly context: vscode.ExtensionContext;
  readonly supervisor: Supervisor;
  readonly log: vscode.LogOutputChannel;
  readonly platform: Platform;
  readonly sessions: WindowSessions;
  readonly actions: Actions;
  readonly alerts: Alerts;
  readonly panel: PanelWhenShown;
  readonly pages: Pages;
  readonly forgotten: Forgotten;
  readonly handoverHost: HandoverHost;
  readonly fitsHost: FitsHost;
  config(): Config;
  absence(): Absence;
  /** Returns the text of the status item. */
  shownText(): string;
  recentLog(): readonly string[];
  /** Stops showing that no agent has been active yet. */
  hideWaiting(): void;
  /** Looks for the sessions of other workspaces too, from now on. */
  widen(): Promise<void>;
  /** Shows what the next request holds of the visible files, or hides it. */
  toggleSight(): Promise<void>;
  drawSoon(): void;
}

/** The commands of a window, and the buttons of its panel and its notifications. */
export class WindowCommands {
  constructor(private readonly window: CommandsHost) {}

  /** Registers all commands. */
  register(): vscode.Disposable[] {
    // A menu of the view passes its row; without a row, the shown session is used.
    const withReading =
      (act: (reading: Reading) => unknown) =>
      async (line?: SessionNode): Promise<void> => {
        const reading = this.readingOf(line);
        if (reading) {
          await act(reading);
          return;
        }
        await showAbsence(this.window.absence());
      };
    const commands: Record<string, (...args: never[]) => unknown> = {
      'ctx.showPanel': (line?: SessionNode) => this.window.panel.show(this.readingOf(line)?.session),
      'ctx.showView': () => vscode.commands.executeCommand('ctx.sessions.focus'),
      'ctx.lookElsewhere': () => this.window.widen(),
      'ctx.whatWasFound': () => this.whatWasFound(),
      'ctx.openApi': () =>
        vscode.window.showTextDocument(vscode.Uri.joinPath(this.window.context.extensionUri, 'api', 'ctx-lsp.d.ts')),
      'ctx.pickSession': () => this.pick(),
      'ctx.followFocus': () => this.window.sessions.focus.unpin(),
      'ctx.copyNumbers': withReading(this.window.actions.copyNumbers),
      'ctx.handOver': withReading(this.handOver),
      'ctx.whatWasForgotten': withReading((reading) => this.window.forgotten.show(reading)),
      'ctx.showSight': () => this.window.toggleSight(),
      'ctx.fits': async (...args: unknown[]) => (await import('./fit/fits')).willItFit(this.window.fitsHost, ...args),
      'ctx.copyHandover': withReading(this.window.actions.copyHandover),
      'ctx.openTranscript': withReading(this.window.actions.openTranscript),
      'ctx.runCompaction': withReading(this.window.actions.runCompaction),
      'ctx.restartServer': () => this.window.supervisor.restart(),
      'ctx.showLogs': () => this.window.log.show(),
      'ctx.copyDiagnostics': () => this.copyDiagnostics(),
      'ctx.openSettings': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${this.window.context.extension.id}`),
      'ctx.openWalkthrough': () =>
        vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          `${this.window.context.extension.id}#start`,
          false,
        ),
      'ctx.hideWaiting': () => {
        this.window.hideWaiting();
        this.window.drawSoon();
      },
      [besideCommand]: async (session: string) => {
        await this.window.sessions.pin(session);
        this.window.drawSoon();
      },
      'ctx.allowInAgentsWindow': async () =>
        (await import('./agentsWindow')).allowInAgentsWindow(this.window.context.extension.id),
      ...setupCommands(this.window.platform.target),
    };
    return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  }

  /** Returns the session of a row in the view; without a row, the shown session. Undefined if there is none. */
  private readingOf(line: SessionNode | undefined): Reading | undefined {
    return line?.kind === 'session'
      ? this.window.sessions.all.get(line.reading.session)?.reading
      : this.window.sessions.front;
  }

  /** Runs the action of a notification. The session may have ended since the notification was shown. */
  async alertAct(act: AlertAct, session: string): Promise<void> {
    if (act === 'snooze') {
      this.window.alerts.snooze(session);
      return;
    }
    const reading = this.window.sessions.all.get(session)?.reading;
    await (reading === undefined
      ? vscode.window.showInformationMessage(vscode.l10n.t('This session has ended.'))
      : {
          handover: this.handOver,
          panel: async () => this.window.actions.showPanel(session),
          compact: this.window.actions.runCompaction,
        }[act](reading));
  }

  private readonly handOver = async (reading: Reading): Promise<void> =>
    (await import('./retold/handover')).handOver(reading, this.window.handoverHost);

  async panelAct(act: PanelAct, reading: Reading | undefined): Promise<void> {
    if (act === 'pick') {
      const picked = await this.pick();
      if (picked !== undefined) {
        this.window.panel.show(picked);
      }
    } else if (reading) {
      await {
        copy: this.window.actions.copyNumbers,
        handover: reading.file === undefined ? this.window.actions.copyHandover : this.handOver,
        transcript: this.window.actions.openTranscript,
        compact: this.window.actions.runCompaction,
      }[act](reading);
    }
  }

  /** Lets the user choose from the list, and returns the chosen session if it is to be shown; otherwise undefined. */
  async pick(): Promise<string | undefined> {
    const view = (past: readonly EarlierSession[]): PickerView => ({
      ...this.window.sessions.roots(),
      past,
      shown: this.window.sessions.focus.shown?.session,
      pinned: this.window.sessions.focus.isPinned,
      canWiden: this.window.sessions.canWiden,
      absence: this.window.absence(),
      now: Date.now(),
    });
    const { pickSession } = await import('./picker');
    const choice = await pickSession(view([]), this.window.sessions.past().then(view));
    switch (choice?.act) {
      case 'pin':
        await this.window.sessions.pin(choice.session);
        this.window.drawSoon();
        return choice.session;
      case 'widen':
        await this.window.widen();
        return this.pick();
      case 'follow':
        this.window.sessions.focus.unpin();
        break;
      case 'panel':
        this.window.actions.showPanel(choice.session);
        break;
      case 'way':
        await vscode.commands.executeCommand(ways[choice.way]);
        break;
    }
    this.window.drawSoon();
    return undefined;
  }

  /** Shows the agents that were found as a document, or why the disk cannot be searched. */
  private async whatWasFound(): Promise<void> {
    const found = await vscode.window.withProgress({ location: { viewId: 'ctx.sessions' } }, async () => {
      await this.window.supervisor.settled();
      return this.window.sessions.found();
    });
    await (found
      ? this.window.pages.show(vscode.l10n.t('Agents found'), foundText(found, Date.now()))
      : showAbsence(this.window.absence()));
  }

  private async copyDiagnostics(): Promise<void> {
    const readings = this.window.sessions.all.all().map(({ reading }) => reading);
    const { diagnosticsReport } = await import('./diagnosticsReport');
    const report = diagnosticsReport(
      String((this.window.context.extension.packageJSON as { version: unknown }).version),
      this.window.supervisor.health,
      this.window.config(),
      readings,
      this.window.shownText(),
      this.window.recentLog(),
    );
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Diagnostics copied'), 3000);
  }
}
