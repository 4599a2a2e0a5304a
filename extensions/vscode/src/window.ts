// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import type { EarlierSession, Reading } from '../api/protocol';
import { type Absence, absence, ways } from './absence';
import { Actions, sayAbsence } from './actions';
import { ApiSessions } from './api';
import type { Backend, BackendEvent, FocusedReading, Found, LevelCrossed } from './backend';
import { type Config, readConfig } from './config';
import { ContextKeys } from './contextKeys';
import type { FitsHost } from './fit/fits';
import { Focus } from './focus';
import { Following } from './following';
import { FoundDocument, foundText } from './found';
import type { Later } from './later';
import { withoutOpening, withoutTitles } from './names';
import { type AlertAct, Alerts } from './notifications';
import { offerVocabulary } from './offer';
import type { PanelAct } from './panel/messages';
import { PanelWhenShown } from './panel/whenShown';
import { pastSessions } from './past';
import { translated } from './phrases';
import type { PickerView } from './picker';
import type { Platform } from './platform';
import type { CoreFeatures } from './promptFiles/features';
import { PromptFileStatus } from './promptFiles/languageStatus';
import { Forgotten } from './retold/forgot';
import type { HandoverHost } from './retold/handover';
import { type Origin, Sessions } from './sessions';
import { setupCommands } from './setup';
import { StatusItem } from './statusItem';
import type { Supervisor } from './supervisor';
import { compactionCommand } from './terminals';
import { canOpen, openPlace } from './view/place';
import type { SessionNode } from './view/sessionNodes';
import { Views } from './view/views';

/** The least time between two drawings. The first change is drawn at once, and a burst of 200 sessions a few times. */
const drawEveryMs = 50;
/** How often everything is drawn again although nothing has changed, because ages grow by the minute. */
const ageEveryMs = 30_000;

/** One editor window: its sessions, which of them is shown, and everything that shows it. */
export class Window implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly sessions = new Sessions();
  private readonly actions: Actions;
  private readonly alerts: Alerts;
  private readonly item = new StatusItem();
  private readonly focus: Focus;
  private readonly panel: PanelWhenShown;
  private readonly views: Views;
  private readonly foundDocument = new FoundDocument();
  private readonly api: ApiSessions;
  private readonly forgotten: Forgotten;
  /** What costs time to register and can do nothing before something counts; undefined until then. */
  private later: Later | undefined;
  /** Whether a session that a host runs was seen. */
  private sawHost = false;
  private readonly handoverHost: HandoverHost;
  private readonly fitsHost: FitsHost;
  private readonly promptFile = new PromptFileStatus(() => this.keys.promptFileSeen());
  /** What is shown in prompt files while no daemon shows it. */
  private features: CoreFeatures | undefined;
  private readonly following: Following;
  private config: Config = readConfig();
  private readonly ageTimer: ReturnType<typeof setInterval>;
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawAgain = false;
  /** Grows with each backend that begins or ends. */
  private turn = 0;
  private readonly keys = new ContextKeys(() => this.reading !== undefined);

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly supervisor: Supervisor,
    private readonly log: vscode.LogOutputChannel,
    private readonly platform: Platform,
    private readonly recentLog: () => readonly string[],
  ) {
    this.focus = new Focus(
      this.sessions,
      (front) => this.askFocus(front),
      (reading) => this.isHere(reading),
      () => this.config.followFocus,
    );
    this.actions = new Actions({
      call: (method, params) => supervisor.call(method, params),
      known: (session) => this.sessions.get(session)?.reading,
      named: (reading) => this.named(reading),
      showPanel: (session) => this.panel.show(session),
    });
    const call = <T>(method: string, params: object): Promise<T> => supervisor.call<T>(method, params);
    this.following = new Following({ call, config: () => this.config, log });
    this.handoverHost = { call, program: () => supervisor.program };
    this.fitsHost = {
      call,
      reading: () => this.reading,
      sayAbsence: () => sayAbsence(this.absence),
      listFiles: platform.listFiles,
    };
    this.forgotten = new Forgotten(call);
    this.alerts = new Alerts({
      config: () => this.config,
      reading: (session) => this.sessions.get(session)?.reading,
      canRunCompaction: (reading) => this.actions.canRunCompaction(reading),
      act: (act, session) => void this.alertAct(act, session),
    });
    this.panel = new PanelWhenShown({
      extensionUri: context.extensionUri,
      reading: (session) => this.sessions.get(session)?.reading,
      call: (method, params) => supervisor.call(method, params),
      can: (reading) => ({
        transcript: reading.file !== undefined,
        compact: this.actions.canRunCompaction(reading),
        place: canOpen(reading),
      }),
      openPlace: (reading, place) => void openPlace(reading, place),
      act: (act, reading) => void this.panelAct(act, reading),
      outdated: () => this.outdated,
      absence: () => this.absence,
      go: (way) => void vscode.commands.executeCommand(ways[way]),
    });
    this.views = new Views({
      sessions: () => this.roots(),
      reading: (session) => this.sessions.get(session)?.reading,
      call: (method, params) => supervisor.call(method, params),
      choose: (session) => this.choose(session),
      outdated: () => this.outdated,
      absence: () => this.absence,
      past: () => this.past(),
      found: () => this.found(),
      canWiden: () => this.canWiden,
    });
    this.api = new ApiSessions({
      caller: supervisor,
      changed: (reading) => this.take(reading, 'api'),
      show: (session) => this.focus.bringUp(session),
      closed: (session) => this.ended(session),
      sessions: () => this.sessions.all().map(({ reading }) => withoutOpening(reading)),
      front: () => this.reading && withoutOpening(this.reading),
    });
    this.subscriptions.push(
      this.item,
      this.alerts,
      this.focus,
      this.panel,
      this.views,
      this.foundDocument,
      this.api,
      this.promptFile,
      this.forgotten,
      this.focus.onChange((shown) => {
        this.panel.changed('', shown?.session);
        this.views.changed(shown?.session);
        this.drawSoon();
      }),
      supervisor.onHealth((health) => {
        if (health.state !== 'ready') {
          this.turn += 1;
          this.features?.dispose();
          this.features = undefined;
        }
        this.panel.again();
        this.drawSoon();
      }),
      supervisor.onEvent((event) => this.receive(event)),
      supervisor.onReady((backend) => void this.welcome(backend)),
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration('ctx') && this.configure(change),
      ),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.watch()),
      this.keys,
      ...this.commands(),
    );
    this.ageTimer = setInterval(() => {
      this.drawSoon();
      this.panel.again(); // it says what coming back costs now
    }, ageEveryMs);
    this.reportSettings();
    this.drawSoon();
  }

  /** What other extensions get. */
  get exports(): CtxApi {
    return this.api.exports;
  }

  dispose(): void {
    this.turn += 1;
    clearTimeout(this.drawTimer);
    clearInterval(this.ageTimer);
    this.features?.dispose();
    this.later?.dispose();
    for (const s of this.subscriptions) {
      s.dispose();
    }
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
      case 'level':
        this.crossed(event);
        break;
      case 'focused':
        if (event.reading) {
          this.keep(event.reading);
        }
        this.focus.tell(event.reading);
        break;
      case 'offer':
        void this.alerts
          .calm()
          .then(() => offerVocabulary(event.offer, (params) => this.supervisor.call('ctx/vocabulary', params)));
        break;
      case 'searched':
        this.following.searching = false;
        this.views.again();
        this.drawSoon();
        break;
      case 'closed':
        this.ended(event.session);
        break;
    }
  }

  /** Takes a newer Reading. */
  private take(told: Reading, origin: Origin): void {
    // A Reading of a closed session was on its way when the session was closed.
    if (origin === 'watched' && this.api.hasEnded(told.session)) {
      return;
    }
    const reading = this.named(told);
    this.sessions.put(reading, origin);
    this.alerts.changed(reading);
    this.panel.changed(reading.session, this.focus.shown?.session);
    this.drawSoon();
    if (reading.host && !this.sawHost) {
      this.sawHost = true;
      void this.offerAgentsWindow(reading.host);
    }
  }

  /** Offers once to run in the Agents window, when a session of its host is seen. */
  private async offerAgentsWindow(host: string): Promise<void> {
    const { offerAgentsWindow } = await import('./agentsWindow');
    const { extension, globalState } = this.context;
    await offerAgentsWindow(host, extension.id, globalState, () => this.alerts.calm());
  }

  /** The backend says that a session has crossed a level. */
  private crossed({ session, level, crossed, first, reading: then }: LevelCrossed): void {
    this.take({ ...this.sessions.get(session)?.reading, ...then }, 'watched');
    const reading = this.sessions.get(session)?.reading;
    if (crossed === 'down') {
      this.alerts.dismiss(session);
    } else if (reading && this.isHere(reading) && (level !== 'soon' || first)) {
      this.alerts.tell(reading, level);
    }
  }

  /** Keeps a Reading that came with an answer, if its session is not known yet. */
  private keep(reading: Reading): void {
    if (!this.sessions.get(reading.session) && !this.api.hasEnded(reading.session)) {
      this.sessions.put(this.named(reading), 'watched');
    }
  }

  /** The Reading as it is shown: in the person's language, and without titles where a person wants none. */
  private named(reading: Reading): Reading {
    return translated(this.config.titles ? reading : withoutTitles(reading));
  }

  private ended(session: string): void {
    this.sessions.remove(session);
    this.alerts.forget(session);
    this.focus.decide();
    this.panel.changed(session, this.focus.shown?.session);
    this.drawSoon();
  }

  /** A backend has begun, and is told what this window wants to know and what other extensions have said. */
  private async welcome(backend: Backend): Promise<void> {
    const turn = ++this.turn;
    this.sessions.forgetWatched();
    this.api.moved();
    await this.watch();
    const [{ CoreFeatures }, { Later }] = await Promise.all([
      backend.kind === 'daemon' ? { CoreFeatures: undefined } : import('./promptFiles/features'),
      import('./later'),
    ]);
    // In the meantime the backend may have ended, another may have begun, and the window may be gone.
    if (turn !== this.turn) {
      return;
    }
    if (CoreFeatures) {
      this.features = new CoreFeatures(backend, this.log, {
        session: () => this.reading,
        realPath: this.platform.realPath,
      });
    }
    this.promptFile.soon();
    this.later ??= new Later({
      ...this.fitsHost,
      absence: () => this.absence.sentence,
      program: () => this.supervisor.program,
      log: this.log,
      version: String((this.context.extension.packageJSON as { version: unknown }).version),
    });
    this.later.again();
    this.views.again();
    this.focus.decide();
    this.drawSoon();
  }

  /** Has the sessions followed that this window shows, and takes those that exist. */
  private async watch(): Promise<void> {
    for (const reading of await this.following.begin()) {
      if (!this.api.hasEnded(reading.session)) {
        this.sessions.put(this.named(reading), 'watched');
      }
    }
    await this.focus.askAgain();
    this.panel.again();
    this.drawSoon();
  }

  private async askFocus(front: object): Promise<FocusedReading | null> {
    if (this.supervisor.kind !== 'daemon') {
      return null;
    }
    const reading = await this.supervisor.call<FocusedReading | null>('ctx/focus', front);
    if (reading) {
      this.keep(reading);
    }
    return reading;
  }

  private isHere(reading: Reading): boolean {
    return this.sessions.get(reading.session)?.origin === 'api' || this.following.isHere(reading);
  }

  private configure(change: vscode.ConfigurationChangeEvent): void {
    this.config = readConfig();
    this.reportSettings();
    if (change.affectsConfiguration('ctx.server') || change.affectsConfiguration('ctx.agents')) {
      this.supervisor.restart();
    } else if (['ctx.titles', 'ctx.statusItem', 'ctx.mode'].some((section) => change.affectsConfiguration(section))) {
      void this.watch().then(() => this.api.again());
    }
    this.panel.changed('', this.focus.shown?.session);
    this.focus.decide();
    this.drawSoon();
  }

  private reportSettings(): void {
    for (const p of this.config.problems) {
      this.log.warn(p);
    }
  }

  private drawSoon(): void {
    if (this.drawTimer !== undefined) {
      this.drawAgain = true;
      return;
    }
    this.drawTimer = setTimeout(() => {
      this.drawTimer = undefined;
      if (this.drawAgain) {
        this.drawAgain = false;
        this.drawSoon();
      }
    }, drawEveryMs);
    this.draw();
  }

  private draw(): void {
    // Which session is shown is decided once for all that have changed.
    this.focus.decide();
    const { reading, config } = this;
    this.features?.sessionIs(reading);
    this.views.changed(this.focus.shown?.session);
    this.item.show({
      config: this.following.refusedLines
        ? { ...config, problems: [...config.problems, this.following.refusedLines] }
        : config,
      health: this.supervisor.health,
      outdated: this.outdated,
      shown: this.focus.shown,
      reading,
      sessions: this.sessions.size,
      absence: this.absence,
      canCompact: reading !== undefined && this.actions.canRunCompaction(reading),
      now: Date.now(),
    });
    if (reading && this.keys.get('ctx.hasSession') !== true) {
      this.keys.tellWalkthrough();
    }
    this.api.drawn();
    this.keys.set('ctx.hasSession', reading !== undefined);
    this.keys.set('ctx.canHaveDaemon', this.platform.daemon !== undefined);
    this.keys.set('ctx.noDaemon', this.supervisor.kind === 'core');
    this.keys.set('ctx.hasTranscript', reading?.file !== undefined);
    this.keys.set('ctx.hasCompactionCommand', reading !== undefined && compactionCommand(reading) !== undefined);
    this.keys.set('ctx.pinned', this.focus.isPinned);
    this.keys.set('ctx.absence', this.absence.welcome);
  }

  /** Says that the numbers on the screen are old, because nothing computes new ones; empty otherwise. */
  private get outdated(): string {
    return this.supervisor.health.state === 'ready'
      ? ''
      : vscode.l10n.t('These numbers are old: the daemon is not responding.');
  }

  /** Why there is no session to show, if there is none. */
  private get absence(): Absence {
    return absence(this.supervisor.health, this.config, this.platform.daemon !== undefined, this.following.searching);
  }

  /** Does what a notification offers. The session may have ended since the notification was shown. */
  private async alertAct(act: AlertAct, session: string): Promise<void> {
    if (act === 'snooze') {
      this.alerts.snooze(session);
      return;
    }
    const reading = this.sessions.get(session)?.reading;
    await (reading === undefined
      ? vscode.window.showInformationMessage(vscode.l10n.t('This session has ended.'))
      : {
          handover: this.handOver,
          panel: async () => this.actions.showPanel(session),
          compact: this.actions.runCompaction,
        }[act](reading));
  }

  private readonly handOver = async (reading: Reading): Promise<void> =>
    (await import('./retold/handover')).handOver(reading, this.handoverHost);

  private async panelAct(act: PanelAct, reading: Reading | undefined): Promise<void> {
    if (act === 'pick') {
      const picked = await this.pick();
      if (picked !== undefined) {
        this.panel.show(picked);
      }
    } else if (reading) {
      await {
        copy: this.actions.copyNumbers,
        handover: this.actions.copyHandover,
        transcript: this.actions.openTranscript,
        compact: this.actions.runCompaction,
      }[act](reading);
    }
  }

  /** Lets a person choose from the list, and returns the session that the item then shows. */
  private async pick(): Promise<string | undefined> {
    const view = (past: readonly EarlierSession[]): PickerView => ({
      ...this.roots(),
      past,
      shown: this.focus.shown?.session,
      pinned: this.focus.isPinned,
      canWiden: this.canWiden,
      absence: this.absence,
      now: Date.now(),
    });
    const { pickSession } = await import('./picker');
    const choice = await pickSession(view([]), this.past().then(view));
    switch (choice?.act) {
      case 'pin':
        await this.pin(choice.session);
        this.drawSoon();
        return choice.session;
      case 'widen':
        await this.widen();
        return this.pick();
      case 'follow':
        this.focus.unpin();
        break;
      case 'panel':
        this.actions.showPanel(choice.session);
        break;
      case 'way':
        await vscode.commands.executeCommand(ways[choice.way]);
        break;
    }
    this.drawSoon();
    return undefined;
  }

  /** The sessions without a parent: those of this window's folders, and the others. */
  private roots(): { here: Reading[]; elsewhere: Reading[] } {
    const roots = this.sessions
      .all()
      .filter(({ reading }) => !reading.parent)
      .map(({ reading }) => reading);
    return { here: roots.filter((r) => this.isHere(r)), elsewhere: roots.filter((r) => !this.isHere(r)) };
  }

  /** The sessions that the daemon has not read. */
  private past(): Promise<EarlierSession[]> {
    return pastSessions((method, params) => this.supervisor.call(method, params), this.config.titles);
  }

  private get canWiden(): boolean {
    return this.supervisor.kind === 'daemon' && !this.following.wide;
  }

  /** Looks for the sessions of other workspaces too, from now on. */
  private async widen(): Promise<void> {
    this.following.wide = true;
    await this.watch();
    this.views.again();
  }

  /** Shows one session in every face: a person has picked it in the view. */
  private async choose(session: string): Promise<void> {
    await this.pin(session);
    this.drawSoon();
  }

  private found(): Promise<Found | undefined> {
    const folder = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file');
    return this.supervisor.found(folder?.uri.fsPath);
  }

  /** Shows what was looked for and found as a document, or why nothing can look. */
  private async whatWasFound(): Promise<void> {
    const found = await vscode.window.withProgress({ location: { viewId: 'ctx.sessions' } }, async () => {
      await this.supervisor.settled();
      return this.found();
    });
    await (found ? this.foundDocument.show(foundText(found, Date.now())) : sayAbsence(this.absence));
  }

  /** Shows one session from now on. The Reading of one that is not followed is fetched first. */
  private async pin(session: string): Promise<void> {
    if (!this.sessions.get(session)) {
      const reading = await this.supervisor
        .call<Reading>('ctx/session/reading', { id: session })
        // A session that nobody has read yet is read when it is named.
        .catch(() => this.supervisor.call<Reading | null>('ctx/focus', { session }))
        .catch(() => undefined);
      if (reading) {
        this.keep(reading);
      }
    }
    this.focus.pin(session);
  }

  private commands(): vscode.Disposable[] {
    // A menu of the view hands over the line on which it was opened; else it is the session that is shown.
    const withReading =
      (act: (reading: Reading) => unknown) =>
      async (line?: SessionNode): Promise<void> => {
        const reading = this.readingOf(line);
        if (reading) {
          await act(reading);
          return;
        }
        await sayAbsence(this.absence);
      };
    const commands: Record<string, (...args: never[]) => unknown> = {
      'ctx.showPanel': (line?: SessionNode) => this.panel.show(this.readingOf(line)?.session),
      'ctx.showView': () => vscode.commands.executeCommand('ctx.sessions.focus'),
      'ctx.lookElsewhere': () => this.widen(),
      'ctx.whatWasFound': () => this.whatWasFound(),
      'ctx.openApi': () =>
        vscode.window.showTextDocument(vscode.Uri.joinPath(this.context.extensionUri, 'api', 'ctx-lsp.d.ts')),
      'ctx.pickSession': () => this.pick(),
      'ctx.followFocus': () => this.focus.unpin(),
      'ctx.copyNumbers': withReading(this.actions.copyNumbers),
      'ctx.handOver': withReading(this.handOver),
      'ctx.whatWasForgotten': withReading((reading) => this.forgotten.show(reading)),
      'ctx.fits': async (at?: vscode.Uri, all?: vscode.Uri[]) =>
        (await import('./fit/fits')).willItFit(this.fitsHost, at, all),
      'ctx.copyHandover': withReading(this.actions.copyHandover),
      'ctx.openTranscript': withReading(this.actions.openTranscript),
      'ctx.runCompaction': withReading(this.actions.runCompaction),
      'ctx.restartServer': () => this.supervisor.restart(),
      'ctx.showLogs': () => this.log.show(),
      'ctx.copyDiagnostics': () => this.copyDiagnostics(),
      'ctx.openSettings': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${this.context.extension.id}`),
      'ctx.openWalkthrough': () =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', `${this.context.extension.id}#start`, false),
      'ctx.allowInAgentsWindow': async () =>
        (await import('./agentsWindow')).allowInAgentsWindow(this.context.extension.id),
      ...setupCommands(this.platform.target),
    };
    return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  }

  /** The session of a line of the view, or the one that is shown where no line is meant. */
  private readingOf(line: SessionNode | undefined): Reading | undefined {
    return line?.kind === 'session' ? this.sessions.get(line.reading.session)?.reading : this.reading;
  }

  private async copyDiagnostics(): Promise<void> {
    const readings = this.sessions.all().map(({ reading }) => reading);
    const { diagnosticsReport } = await import('./diagnosticsReport');
    const report = diagnosticsReport(
      String((this.context.extension.packageJSON as { version: unknown }).version),
      this.supervisor.health,
      this.config,
      readings,
      this.item.text,
      this.recentLog(),
    );
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Diagnostics copied'), 3000);
  }
}
