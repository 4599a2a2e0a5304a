// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { ApiSessions } from './api';
import { type Backend, type BackendEvent, CallError, type FocusedReading } from './backend';
import { type Config, readConfig } from './config';
import { Crossings } from './crossings';
import { diagnosticsReport } from './diagnosticsReport';
import { belongs } from './folders';
import { Focus } from './focus';
import { notify } from './notifications';
import { Panel } from './panel/panel';
import { CoreFeatures } from './promptFiles/features';
import { PromptFileStatus } from './promptFiles/languageStatus';
import { pickSession } from './picker';
import type { Reading } from '../api/protocol';
import { type Origin, Sessions } from './sessions';
import { StatusItem } from './statusItem';
import { summary } from './summary';
import type { Supervisor } from './supervisor';
import { compactionCommand, terminalOf } from './terminals';

/** The least time between two drawings: the first change is drawn at once, a burst of 200 sessions a few times. */
const drawEveryMs = 50;

/**
 * One editor window: what its sessions are, which of them is shown, and everything that shows it.
 */
export class Window implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly sessions = new Sessions();
  private readonly crossings = new Crossings();
  private readonly item = new StatusItem();
  private readonly focus: Focus;
  private readonly panel: Panel;
  private readonly api: ApiSessions;
  private readonly promptFile = new PromptFileStatus(() => this.setContext('ctx.promptFileSeen', true));
  /** What is shown in prompt files while there is no daemon to show it. */
  private features: CoreFeatures | undefined;
  /** Whether sessions of other workspaces are followed too: a person asked for them. */
  private wide = false;
  /** When this window began to look; a session that was silent since is nobody's news. */
  private readonly since = Date.now();
  private config: Config = readConfig();
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawAgain = false;
  private readonly contexts = new Map<string, unknown>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly supervisor: Supervisor,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.focus = new Focus(
      this.sessions,
      (front) => this.askFocus(front),
      (reading) => this.isHere(reading),
      () => this.config.followFocus,
    );
    this.panel = new Panel({
      extensionUri: context.extensionUri,
      reading: (session) => this.sessions.get(session)?.reading,
      call: (method, params) => supervisor.call(method, params),
      can: (reading) => ({ transcript: reading.file !== undefined, compact: this.actions.canRunCompaction(reading) }),
      act: (act, reading) => this.panelAct(act, reading),
    });
    this.api = new ApiSessions({
      caller: supervisor,
      changed: (reading) => this.take(reading, 'api'),
      show: (session) => this.focus.bringUp(session),
      closed: (session) => this.ended(session),
    });
    this.subscriptions.push(
      this.item,
      this.focus,
      this.panel,
      this.api,
      this.promptFile,
      this.focus.onChange((shown) => {
        this.panel.changed('', shown?.session);
        this.drawSoon();
      }),
      supervisor.onHealth((health) => {
        if (health.state !== 'ready') {
          this.features?.dispose();
          this.features = undefined;
        }
        this.drawSoon();
      }),
      supervisor.onEvent((event) => this.receive(event)),
      supervisor.onReady((backend) => void this.welcome(backend)),
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration('ctx') && this.configure(change),
      ),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.watch()),
      ...this.commands(),
    );
    this.reportSettings();
  }

  /** What other extensions get. */
  get exports(): CtxApi {
    return this.api.exports;
  }

  dispose(): void {
    clearTimeout(this.drawTimer);
    this.features?.dispose();
    this.subscriptions.forEach((s) => s.dispose());
  }

  /** The Reading that the status item shows. */
  private get reading(): Reading | undefined {
    const { shown } = this.focus;
    return shown && this.sessions.get(shown.session)?.reading;
  }

  private receive(event: BackendEvent): void {
    switch (event.type) {
      case 'reading':
        this.take(event.reading, 'watched');
        break;
      case 'focused':
        this.takeFocused(event.reading);
        break;
      case 'closed':
        this.ended(event.session);
        break;
    }
  }

  /** Takes a newer Reading, and tells when it crossed a level while this window looked on. */
  private take(reading: Reading, origin: Origin): void {
    const before = this.sessions.put(reading, origin);
    if (before === undefined && origin === 'watched' && (reading.asOf ?? 0) < this.since) {
      this.crossings.found(reading);
    }
    const level = this.crossings.reached(reading);
    if (level && this.isHere(reading)) {
      void notify(reading, level, this.config, this.actions);
    }
    this.focus.decide();
    this.panel.changed(reading.session, this.focus.shown?.session);
    this.drawSoon();
  }

  private takeFocused(reading: FocusedReading | null): void {
    if (reading && !this.sessions.get(reading.session)) {
      this.sessions.put(reading, 'watched');
    }
    this.focus.tell(reading);
  }

  private ended(session: string): void {
    this.sessions.remove(session);
    this.crossings.forget(session);
    this.focus.decide();
    this.panel.changed(session, this.focus.shown?.session);
    this.drawSoon();
  }

  /** A backend has begun: it learns what this window wants to know and what other extensions have told. */
  private async welcome(backend: Backend): Promise<void> {
    this.sessions.forgetWatched();
    this.api.moved();
    if (backend.kind === 'daemon') {
      await this.watch();
    } else {
      this.features = new CoreFeatures(backend, this.log);
    }
    this.promptFile.updateSoon();
    this.focus.decide();
    this.drawSoon();
  }

  /** Asks the daemon to follow the sessions of this window's folder, or of the machine where there are several folders or none. */
  private async watch(): Promise<void> {
    if (this.supervisor.kind !== 'daemon') {
      return;
    }
    const folders = vscode.workspace.workspaceFolders?.filter((f) => f.uri.scheme === 'file') ?? [];
    const only = folders.length === 1 && !this.wide ? folders[0]?.uri.fsPath : undefined;
    try {
      const { sessions } = await this.supervisor.call<{ sessions: Reading[] }>(
        'ctx/watch',
        only === undefined ? {} : { workspace: only },
      );
      for (const reading of sessions) {
        this.sessions.put(reading, 'watched');
        this.crossings.found(reading);
      }
    } catch (error) {
      this.log.error(`The sessions of ${only ?? 'this machine'} cannot be followed: ${CallError.from(error).message}`);
    }
    await this.focus.askAgain();
    this.drawSoon();
  }

  private async askFocus(front: object): Promise<FocusedReading | null> {
    if (this.supervisor.kind !== 'daemon') {
      return null;
    }
    const reading = await this.supervisor.call<FocusedReading | null>('ctx/focus', front);
    if (reading && !this.sessions.get(reading.session)) {
      this.sessions.put(reading, 'watched');
    }
    return reading;
  }

  /** The session whose agent runs in a terminal. */
  private async sessionOfTerminal(terminalPid: number): Promise<string | undefined> {
    const reading = await this.askFocus({ terminalPid });
    return reading?.shown === 'terminal' ? reading.session : undefined;
  }

  private isHere(reading: Reading): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return (
      this.sessions.get(reading.session)?.origin === 'api' ||
      folders.some((f) => belongs(reading.workspace, f.uri.fsPath))
    );
  }

  private configure(change: vscode.ConfigurationChangeEvent): void {
    this.config = readConfig();
    this.reportSettings();
    if (change.affectsConfiguration('ctx.server')) {
      this.supervisor.restart();
    }
    this.focus.decide();
    this.drawSoon();
  }

  private reportSettings(): void {
    this.config.problems.forEach((p) => this.log.warn(p));
  }

  private drawSoon(): void {
    if (this.drawTimer !== undefined) {
      this.drawAgain = true;
      return;
    }
    this.draw();
    this.drawTimer = setTimeout(() => {
      this.drawTimer = undefined;
      if (this.drawAgain) {
        this.drawAgain = false;
        this.drawSoon();
      }
    }, drawEveryMs);
  }

  private draw(): void {
    const { reading, config } = this;
    this.item.show({
      config,
      health: this.supervisor.health,
      shown: this.focus.shown,
      reading,
      sessions: this.sessions.size,
    });
    this.setContext('ctx.hasSession', reading !== undefined);
    this.setContext('ctx.hasTranscript', reading?.file !== undefined);
    this.setContext('ctx.hasCompactionCommand', reading !== undefined && compactionCommand(reading) !== undefined);
    this.setContext('ctx.pinned', this.focus.isPinned);
  }

  /** Sets a context key for menus and walkthroughs, when it has changed. */
  private setContext(key: string, value: unknown): void {
    if (this.contexts.get(key) !== value) {
      this.contexts.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }

  private readonly actions = {
    showPanel: (session: string): void => this.panel.show(session),
    copySummary: (reading: Reading): void => {
      void vscode.env.clipboard.writeText(summary(reading));
      vscode.window.setStatusBarMessage(vscode.l10n.t('Summary copied'), 3000);
    },
    openTranscript: (reading: Reading): void => {
      if (reading.file) {
        void vscode.window.showTextDocument(vscode.Uri.file(reading.file), { preview: true });
      }
    },
    canRunCompaction: (reading: Reading): boolean =>
      vscode.workspace.isTrusted && compactionCommand(reading) !== undefined && vscode.window.terminals.length > 0,
    runCompaction: (reading: Reading): void => void this.runCompaction(reading),
  };

  private async runCompaction(reading: Reading): Promise<void> {
    const command = compactionCommand(reading);
    const terminal =
      command && vscode.workspace.isTrusted
        ? await terminalOf(reading.session, (pid) => this.sessionOfTerminal(pid))
        : undefined;
    void this.focus.askAgain();
    if (!command || !terminal) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'No terminal of this window runs this session. Type the compaction command where the agent runs.',
        ),
      );
      return;
    }
    terminal.show(true);
    terminal.sendText(command, true);
  }

  private panelAct(act: 'copy' | 'transcript' | 'compact' | 'pick', reading: Reading | undefined): void {
    if (act === 'pick') {
      void this.pick();
    } else if (reading) {
      ({
        copy: this.actions.copySummary,
        transcript: this.actions.openTranscript,
        compact: this.actions.runCompaction,
      })[act](reading);
    }
  }

  private async pick(): Promise<void> {
    const roots = this.sessions
      .all()
      .filter(({ reading }) => !reading.parent)
      .map(({ reading }) => reading);
    const here = roots.filter((r) => this.isHere(r));
    const elsewhere = roots.filter((r) => !this.isHere(r));
    const choice = await pickSession({
      here,
      elsewhere,
      shown: this.focus.shown?.session,
      pinned: this.focus.isPinned,
      canWiden: this.supervisor.kind === 'daemon' && !this.wide,
    });
    switch (choice?.act) {
      case 'pin':
        await this.pin(choice.session);
        break;
      case 'widen':
        this.wide = true;
        await this.watch();
        return this.pick();
      case 'follow':
        this.focus.unpin();
        break;
      case 'panel':
        this.actions.showPanel(choice.session);
        break;
    }
    this.drawSoon();
  }

  /** Shows one session from now on; of a sub-agent that is not followed the Reading is fetched first. */
  private async pin(session: string): Promise<void> {
    if (!this.sessions.get(session)) {
      const reading = await this.supervisor
        .call<Reading>('ctx/session/reading', { id: session })
        .catch(() => undefined);
      if (reading) {
        this.sessions.put(reading, 'watched');
      }
    }
    this.focus.pin(session);
  }

  private commands(): vscode.Disposable[] {
    const withReading = (act: (reading: Reading) => void) => (): void => {
      const { reading } = this;
      if (reading) {
        act(reading);
      } else {
        void vscode.window.showInformationMessage(vscode.l10n.t('No agent works in this workspace yet.'));
      }
    };
    const commands: Record<string, () => unknown> = {
      'ctx.showPanel': () => this.panel.show(this.focus.shown?.session),
      'ctx.pickSession': () => this.pick(),
      'ctx.followFocus': () => this.focus.unpin(),
      'ctx.copySummary': withReading(this.actions.copySummary),
      'ctx.openTranscript': withReading(this.actions.openTranscript),
      'ctx.runCompaction': withReading(this.actions.runCompaction),
      'ctx.restartServer': () => this.supervisor.restart(),
      'ctx.showLogs': () => this.log.show(),
      'ctx.copyDiagnostics': () => this.copyDiagnostics(),
      'ctx.openSettings': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${this.context.extension.id}`),
      'ctx.openWalkthrough': () =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', `${this.context.extension.id}#start`, false),
    };
    return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  }

  private async copyDiagnostics(): Promise<void> {
    const readings = this.sessions.all().map(({ reading }) => reading);
    const report = diagnosticsReport(
      String((this.context.extension.packageJSON as { version: unknown }).version),
      this.supervisor.health,
      this.config,
      readings,
      this.item.text,
    );
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Diagnostics copied'), 3000);
  }
}
