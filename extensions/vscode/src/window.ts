import * as vscode from 'vscode';
import type { Backend } from './backend';
import { type Config, readConfig } from './config';
import { Crossings } from './crossings';
import { diagnosticsReport } from './diagnosticsReport';
import { belongs } from './folders';
import { Focus } from './focus';
import { notify } from './notifications';
import { pickSession } from './picker';
import type { Reading } from './protocol';
import { Sessions } from './sessions';
import { StatusItem } from './statusItem';
import { summary } from './summary';
import type { Supervisor } from './supervisor';
import { compactionCommand, terminalOf } from './terminals';

/** How long changes are gathered before the screen is touched: a burst of 200 sessions is drawn once. */
const drawDelayMs = 30;

/**
 * One editor window: what its sessions are, which of them is shown, and everything that shows it.
 */
export class Window implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly sessions = new Sessions();
  private readonly crossings = new Crossings();
  private readonly item = new StatusItem();
  private readonly focus: Focus;
  private config: Config = readConfig();
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly contexts = new Map<string, unknown>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly supervisor: Supervisor,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.focus = new Focus(this.sessions, (pid) => this.sessionOfTerminal(pid), () => this.config.followFocus);
    this.subscriptions.push(
      this.item,
      this.focus,
      this.focus.onChange(() => this.drawSoon()),
      supervisor.onHealth(() => this.drawSoon()),
      supervisor.onReading((reading) => this.take(reading)),
      supervisor.onReady((backend) => void this.watch(backend)),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('ctx') && this.configure(change)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.watchAgain()),
      ...this.commands(),
    );
    this.reportSettings();
  }

  dispose(): void {
    clearTimeout(this.drawTimer);
    this.subscriptions.forEach((s) => s.dispose());
  }

  /** The Reading that the status item shows. */
  private get reading(): Reading | undefined {
    const { shown } = this.focus;
    return shown && this.sessions.get(shown.session)?.reading;
  }

  /** Takes a Reading that the daemon sent, and tells when it crossed a level. */
  private take(reading: Reading): void {
    const before = this.sessions.put(reading, 'watched');
    const level = this.crossings.reached(reading);
    if (level && this.isHere(reading)) {
      void notify(reading, level, this.config, this.actions);
    }
    if (!before) {
      this.focus.lookAgain();
    }
    this.focus.decide();
    this.drawSoon();
  }

  /** Asks the daemon to follow the sessions of every folder of this window. */
  private async watch(backend: Backend): Promise<void> {
    this.sessions.forgetWatched();
    if (backend.kind !== 'daemon') {
      this.focus.decide();
      this.drawSoon();
      return;
    }
    const folders = vscode.workspace.workspaceFolders?.filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath) ?? [];
    const wanted = folders.length > 0 ? folders.map((workspace) => ({ workspace })) : [{}];
    for (const params of wanted) {
      try {
        const { sessions } = await backend.call<{ sessions: Reading[] }>('ctx/watch', params);
        for (const reading of sessions) {
          this.sessions.put(reading, 'watched');
          this.crossings.found(reading);
        }
      } catch (error) {
        this.log.error(`The sessions of ${'workspace' in params ? params.workspace : 'this machine'} cannot be followed: ${String(error)}`);
      }
    }
    this.focus.lookAgain();
    this.focus.decide();
    this.drawSoon();
  }

  private async watchAgain(): Promise<void> {
    if (this.supervisor.kind === 'daemon') {
      await this.supervisor.call('ctx/unwatch', {}).catch(() => undefined);
      await this.watch({ kind: 'daemon', call: (m: string, p: object) => this.supervisor.call(m, p) } as Backend);
    }
  }

  private sessionOfTerminal(terminalPid: number): Promise<Reading | null> {
    return this.supervisor.kind === 'daemon' ? this.supervisor.call<Reading | null>('ctx/focus', { terminalPid }) : Promise.resolve(null);
  }

  private isHere(reading: Reading): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return this.sessions.get(reading.session)?.origin === 'api' || folders.some((f) => belongs(reading.workspace, f.uri.fsPath));
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
    this.drawTimer ??= setTimeout(() => {
      this.drawTimer = undefined;
      this.draw();
    }, drawDelayMs);
  }

  private draw(): void {
    const { reading, config } = this;
    this.item.show({ config, health: this.supervisor.health, shown: this.focus.shown, reading, sessions: this.sessions.size });
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
    showPanel: (session: string): void => void session,
    copySummary: (reading: Reading): void => {
      void vscode.env.clipboard.writeText(summary(reading));
      vscode.window.setStatusBarMessage(vscode.l10n.t('Summary copied'), 3000);
    },
    openTranscript: (reading: Reading): void => {
      if (reading.file) {
        void vscode.window.showTextDocument(vscode.Uri.file(reading.file), { preview: true });
      }
    },
    canRunCompaction: (reading: Reading): boolean => vscode.workspace.isTrusted && compactionCommand(reading) !== undefined && vscode.window.terminals.length > 0,
    runCompaction: (reading: Reading): void => void this.runCompaction(reading),
  };

  private async runCompaction(reading: Reading): Promise<void> {
    const command = compactionCommand(reading);
    const terminal = command && vscode.workspace.isTrusted ? await terminalOf(reading.session, (pid) => this.sessionOfTerminal(pid)) : undefined;
    if (!command || !terminal) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No terminal of this window runs this session. Type the compaction command where the agent runs.'));
      return;
    }
    terminal.show(true);
    terminal.sendText(command, true);
  }

  private async pick(): Promise<void> {
    const roots = this.sessions.all().filter(({ reading }) => !reading.parent).map(({ reading }) => reading);
    const here = roots.filter((r) => this.isHere(r));
    const elsewhere = roots.filter((r) => !this.isHere(r));
    const choice = await pickSession(here, elsewhere, this.focus.shown?.session, this.focus.isPinned);
    switch (choice?.act) {
      case 'pin':
        this.focus.pin(choice.session);
        break;
      case 'follow':
        this.focus.unpin();
        break;
      case 'panel':
        this.actions.showPanel(choice.session);
        break;
    }
    this.drawSoon();
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
      'ctx.showPanel': withReading((r) => this.actions.showPanel(r.session)),
      'ctx.pickSession': () => this.pick(),
      'ctx.followFocus': () => this.focus.unpin(),
      'ctx.copySummary': withReading(this.actions.copySummary),
      'ctx.openTranscript': withReading(this.actions.openTranscript),
      'ctx.runCompaction': withReading(this.actions.runCompaction),
      'ctx.restartServer': () => this.supervisor.restart(),
      'ctx.showLogs': () => this.log.show(),
      'ctx.copyDiagnostics': () => this.copyDiagnostics(),
      'ctx.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${this.context.extension.id}`),
      'ctx.openWalkthrough': () => vscode.commands.executeCommand('workbench.action.openWalkthrough', `${this.context.extension.id}#start`, false),
    };
    return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  }

  private async copyDiagnostics(): Promise<void> {
    const readings = this.sessions.all().map(({ reading }) => reading);
    const report = diagnosticsReport(String(this.context.extension.packageJSON.version), this.supervisor.health, this.config, readings, this.item.text);
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Diagnostics copied'), 3000);
  }
}
