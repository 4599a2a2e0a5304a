// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import type { Reading } from '../api/protocol';
import { type Absence, absence, ways } from './absence';
import { Actions, showAbsence } from './actions';
import { ApiSessions } from './api';
import type { Backend, BackendEvent, LevelCrossed } from './backend';
import { type Config, readConfig } from './config';
import { ContextKeys } from './contextKeys';
import { FirstDay } from './firstDay';
import type { FitsHost } from './fit/fits';
import type { Later } from './later';
import { withoutOpening } from './names';
import { Alerts } from './notifications';
import { Offer } from './offer';
import { Pages } from './pages';
import { PanelWhenShown } from './panel/whenShown';
import type { Platform } from './platform';
import type { CoreFeatures } from './promptFiles/features';
import { PromptFileStatus } from './promptFiles/languageStatus';
import type { Counting } from './promptFiles/weights';
import { Forgotten } from './retold/forgot';
import type { Origin } from './sessions';
import type { Sight } from './sight';
import { StatusItem } from './statusItem';
import type { Supervisor } from './supervisor';
import { compactionCommand } from './terminals';
import { canOpen, openPlace } from './view/place';
import { Views } from './view/views';
import { WindowCommands } from './windowCommands';
import { WindowSessions } from './windowSessions';

/**
 * The minimum time between two drawings. The first change is drawn at once, and a burst of 200 sessions only a few
 * times.
 */
const drawEveryMs = 50;
/** How often everything is redrawn without a change, because ages grow by the minute. */
const ageEveryMs = 30_000;

/** An editor window: its sessions, which of them is shown, and everything that shows it. */
export class Window implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly sessions: WindowSessions;
  private readonly actions: Actions;
  private readonly alerts: Alerts;
  private readonly item = new StatusItem();
  private readonly panel: PanelWhenShown;
  private readonly views: Views;
  private readonly pages = new Pages();
  private readonly api: ApiSessions;
  private readonly forgotten: Forgotten;
  private readonly commands: WindowCommands;
  /** Everything that takes time to register and is useless before there is a backend; undefined until then. */
  private later: Later | undefined;
  /** Marks what the next request holds of files; undefined until the user asks for it. */
  private sight: Sight | undefined;
  /** The model and the window of the last count of files. */
  private countedFor = '';
  /** Whether a session that runs in a host has been seen. */
  private sawHost = false;
  private readonly fitsHost: FitsHost;
  private readonly firstDay: FirstDay;
  private readonly offer: Offer;
  private readonly promptFile = new PromptFileStatus(() => this.keys.promptFileSeen());
  /** The features of prompt files while there is no daemon to provide them. */
  private features: CoreFeatures | undefined;
  private config: Config = readConfig();
  private readonly ageTimer: ReturnType<typeof setInterval>;
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawAgain = false;
  /** Grows with each backend that starts or ends. */
  private turn = 0;
  private readonly keys = new ContextKeys(() => this.sessions.front !== undefined);

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly supervisor: Supervisor,
    private readonly log: vscode.LogOutputChannel,
    private readonly platform: Platform,
    recentLog: () => readonly string[],
  ) {
    this.sessions = new WindowSessions({
      supervisor,
      log,
      config: () => this.config,
      hasEnded: (session) => this.api.hasEnded(session),
    });
    const { all, focus } = this.sessions;
    this.firstDay = new FirstDay(context.globalState);
    this.actions = new Actions({
      call: (method, params) => supervisor.call(method, params),
      known: (session) => all.get(session)?.reading,
      named: (reading) => this.sessions.named(reading),
      showPanel: (session) => this.panel.show(session),
    });
    const call = <T>(method: string, params: object): Promise<T> => supervisor.call<T>(method, params);
    this.fitsHost = {
      call,
      reading: () => this.sessions.front,
      showAbsence: () => showAbsence(this.absence),
      listFiles: platform.listFiles,
    };
    this.forgotten = new Forgotten(call, this.pages);
    this.offer = new Offer((params) => call('ctx/vocabulary', params));
    this.alerts = new Alerts({
      config: () => this.config,
      reading: (session) => all.get(session)?.reading,
      sessions: () => this.sessions.roots().here.length,
      canRunCompaction: (reading) => this.actions.canRunCompaction(reading),
      act: (act, session) => void this.commands.alertAct(act, session),
    });
    this.panel = new PanelWhenShown({
      extensionUri: context.extensionUri,
      reading: (session) => all.get(session)?.reading,
      call: (method, params) => supervisor.call(method, params),
      can: (reading) => ({
        transcript: reading.file !== undefined,
        compact: this.actions.canRunCompaction(reading),
        place: canOpen(reading),
      }),
      openPlace: (reading, place) => void openPlace(reading, place),
      act: (act, reading) => void this.commands.panelAct(act, reading),
      outdated: () => this.outdated,
      offer: this.offer,
      absence: () => this.absence,
      go: (way) => void vscode.commands.executeCommand(ways[way]),
    });
    this.views = new Views({
      sessions: () => this.sessions.roots(),
      reading: (session) => all.get(session)?.reading,
      call: (method, params) => supervisor.call(method, params),
      choose: (session) => this.choose(session),
      outdated: () => this.outdated,
      absence: () => this.absence,
      past: () => this.sessions.past(),
      found: () => this.sessions.found(),
      page: (title, text) => this.pages.show(title, text),
      canWiden: () => this.sessions.canWiden,
    });
    this.api = new ApiSessions({
      caller: supervisor,
      changed: (reading) => this.take(reading, 'api'),
      show: (session) => focus.bringUp(session),
      closed: (session) => this.ended(session),
      sessions: () => all.all().map(({ reading }) => withoutOpening(reading)),
      front: () => this.sessions.front && withoutOpening(this.sessions.front),
    });
    this.commands = new WindowCommands({
      context,
      supervisor,
      log,
      platform,
      sessions: this.sessions,
      actions: this.actions,
      alerts: this.alerts,
      panel: this.panel,
      pages: this.pages,
      forgotten: this.forgotten,
      handoverHost: { call, program: () => supervisor.program, pages: this.pages },
      fitsHost: this.fitsHost,
      config: () => this.config,
      absence: () => this.absence,
      shownText: () => this.item.text,
      recentLog,
      widen: () => this.widen(),
      toggleSight: () => this.toggleSight(),
      hideWaiting: () => this.firstDay.hide(),
      drawSoon: () => this.drawSoon(),
    });
    this.subscriptions.push(
      this.item,
      this.alerts,
      focus,
      this.panel,
      this.views,
      this.pages,
      this.api,
      this.promptFile,
      focus.onChange((shown) => {
        this.panel.changed('', shown?.session);
        this.views.changed(shown?.session);
        this.sight?.changed(shown?.session);
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
      ...this.commands.register(),
    );
    this.ageTimer = setInterval(() => {
      this.drawSoon();
      this.panel.again(); // it shows the current cost of coming back
    }, ageEveryMs);
    this.reportSettings();
    this.drawSoon();
  }

  /** The API for other extensions. */
  get exports(): CtxApi {
    return this.api.exports;
  }

  dispose(): void {
    this.turn += 1;
    clearTimeout(this.drawTimer);
    clearInterval(this.ageTimer);
    this.features?.dispose();
    this.later?.dispose();
    this.sight?.dispose();
    for (const s of this.subscriptions) {
      s.dispose();
    }
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
          this.sessions.keep(event.reading);
        }
        this.sessions.focus.apply(event.reading);
        break;
      case 'offer':
        this.offer.put(event.offer);
        this.panel.again();
        break;
      case 'searched':
        this.sessions.following.searching = false;
        this.views.again();
        this.drawSoon();
        break;
      case 'closed':
        this.ended(event.session);
        break;
    }
  }

  /** Stores a newer Reading and updates everything that shows it. */
  private take(newer: Reading, origin: Origin): void {
    // The Reading was already on its way when the session was closed.
    if (origin === 'watched' && this.api.hasEnded(newer.session)) {
      return;
    }
    const reading = this.sessions.named(newer);
    this.sessions.all.put(reading, origin);
    this.alerts.changed(reading);
    this.panel.changed(reading.session, this.sessions.focus.shown?.session);
    this.sight?.changed(reading.session);
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

  /** Handles a report of the backend that a session has crossed a level. */
  private crossed({ session, level, crossed, reading: then }: LevelCrossed): void {
    this.take({ ...this.sessions.all.get(session)?.reading, ...then }, 'watched');
    const reading = this.sessions.all.get(session)?.reading;
    if (crossed === 'down') {
      this.alerts.dismiss(session);
    } else if (reading && this.sessions.isHere(reading)) {
      this.alerts.announce(reading, level);
    }
  }

  private ended(session: string): void {
    this.sessions.all.remove(session);
    this.alerts.forget(session);
    this.sessions.focus.decide();
    this.panel.changed(session, this.sessions.focus.shown?.session);
    this.drawSoon();
  }

  /** Sends a new backend this window's requests and the sessions of other extensions. */
  private async welcome(backend: Backend): Promise<void> {
    const turn = ++this.turn;
    this.sessions.all.forgetWatched();
    this.api.moved();
    await this.watch();
    const [{ CoreFeatures }, { Later }] = await Promise.all([
      backend.kind === 'daemon' ? { CoreFeatures: undefined } : import('./promptFiles/features'),
      import('./later'),
    ]);
    // In the meantime, the backend may have ended, another may have started, and the window may have been closed.
    if (turn !== this.turn) {
      return;
    }
    if (CoreFeatures) {
      this.features = new CoreFeatures(backend, this.log, {
        counting: () => this.sessions.counting,
        realPath: this.platform.realPath,
      });
    }
    this.promptFile.soon();
    this.later ??= new Later({
      ...this.fitsHost,
      counting: () => this.sessions.counting,
      absence: () => this.absence.sentence,
      program: () => this.supervisor.program,
      log: this.log,
      version: String((this.context.extension.packageJSON as { version: unknown }).version),
    });
    this.later.again();
    this.views.again();
    this.sessions.focus.decide();
    this.drawSoon();
  }

  /** Follows the sessions of this window, and draws them. */
  private async watch(): Promise<void> {
    await this.sessions.follow();
    this.panel.again();
    this.drawSoon();
  }

  /** Looks for the sessions of other workspaces too, from now on. */
  private async widen(): Promise<void> {
    this.sessions.following.wide = true;
    await this.watch();
    this.views.again();
  }

  /** Shows what the next request holds of the visible files, or hides it. */
  private async toggleSight(): Promise<void> {
    const { Sight } = await import('./sight');
    if (this.sight) {
      this.sight.dispose();
      this.sight = undefined;
      return;
    }
    this.sight = new Sight({
      call: (method, params) => this.supervisor.call(method, params),
      reading: () => this.sessions.front,
    });
    if (vscode.window.visibleTextEditors.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a file of the workspace: its lines are marked by what the next request holds of them.'),
      );
    }
  }

  private configure(change: vscode.ConfigurationChangeEvent): void {
    this.config = readConfig();
    this.reportSettings();
    if (change.affectsConfiguration('ctx.server') || change.affectsConfiguration('ctx.agents')) {
      this.supervisor.restart();
    } else if (['ctx.titles', 'ctx.statusItem', 'ctx.mode'].some((section) => change.affectsConfiguration(section))) {
      void this.watch().then(() => this.api.again());
    }
    this.panel.changed('', this.sessions.focus.shown?.session);
    this.sessions.focus.decide();
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
    // The shown session is determined once for all changes.
    this.sessions.focus.decide();
    const { config } = this;
    const reading = this.sessions.front;
    this.countFor(this.sessions.counting);
    this.views.changed(this.sessions.focus.shown?.session);
    this.item.show({
      config: this.sessions.following.refusedLines
        ? { ...config, problems: [...config.problems, this.sessions.following.refusedLines] }
        : config,
      health: this.supervisor.health,
      outdated: this.outdated,
      shown: this.sessions.focus.shown,
      reading,
      beside: this.sessions.beside,
      sessions: this.sessions.all.size,
      firstDay: this.firstDay.lasts,
      hidden: this.firstDay.hidden,
      searching: this.sessions.following.searching,
      absence: this.absence,
      now: Date.now(),
    });
    if (reading && this.keys.get('ctx.hasSession') !== true) {
      this.firstDay.end();
      this.keys.tellWalkthrough();
    }
    this.api.drawn();
    this.keys.set('ctx.hasSession', reading !== undefined);
    this.keys.set('ctx.canHaveDaemon', this.platform.daemon !== undefined);
    this.keys.set('ctx.noDaemon', this.supervisor.kind === 'core');
    this.keys.set('ctx.hasTranscript', reading?.file !== undefined);
    this.keys.set('ctx.hasCompactionCommand', reading !== undefined && compactionCommand(reading) !== undefined);
    this.keys.set('ctx.pinned', this.sessions.focus.isPinned);
    this.keys.set('ctx.absence', this.absence.welcome);
  }

  /** Recounts files if the model or the window of the shown session has changed. */
  private countFor(counting: Counting | undefined): void {
    this.features?.sessionIs(counting);
    const now = JSON.stringify([counting?.model, counting?.limit]);
    if (now !== this.countedFor) {
      this.countedFor = now;
      this.later?.again();
      this.promptFile.soon();
    }
  }

  /** A message that the numbers on the screen are outdated, because there is no running backend; otherwise empty. */
  private get outdated(): string {
    return this.supervisor.health.state === 'ready'
      ? ''
      : vscode.l10n.t('These numbers are old: the daemon is not responding.');
  }

  /** Why there is no session to show, if there is none. */
  private get absence(): Absence {
    return absence(
      this.supervisor.health,
      this.config,
      this.platform.daemon !== undefined,
      this.sessions.following.searching,
    );
  }

  /** Shows a session in all front ends, because the user has picked it in the view. */
  private async choose(session: string): Promise<void> {
    await this.sessions.pin(session);
    this.drawSoon();
  }
}
