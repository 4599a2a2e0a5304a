// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { EarlierSession, Items, Reading } from '../../api/protocol';
import { type Absence, ways, wayTitle } from '../absence';
import type { Found } from '../backend';
import { dropped } from '../fit/dropped';
import { foundLines } from '../found';
import { isDim, nameOf } from '../names';
import { hasMore, isPastHere } from '../past';
import { translatedItems } from '../phrases';
import { severity } from '../statusText';
import { allowanceSentence, lead } from '../words';
import { type FillNode, type FillView, fillGroups, fillItem, fillLeaves, placeCommand } from './fillNodes';
import { canOpen, openPlace } from './place';
import { selectedLine } from './selected';
import { chooseCommand, nodesBelow, type SessionNode, type SessionsView, sessionItem, topNodes } from './sessionNodes';
import { Setups } from './setup';

/** The parts of the window that the views need. */
export interface ViewsHost {
  /** Returns the sessions without a parent, here and elsewhere. */
  sessions(): Pick<SessionsView, 'here' | 'elsewhere'>;
  reading(session: string): Reading | undefined;
  call<T>(method: string, params: object): Promise<T>;
  /** Shows a session in all front ends from now on. */
  choose(session: string): Promise<void>;
  /** Returns a message that the numbers are outdated; empty while they are kept up to date. */
  outdated(): string;
  /** Returns why there is no session to show. */
  absence(): Absence;
  /** Returns the sessions that the daemon has not read. */
  past(): Promise<EarlierSession[]>;
  /** Returns what the daemon's program finds on this machine; undefined if there is no daemon. */
  found(): Promise<Found | undefined>;
  /** Shows a text as a page. */
  page(title: string, text: string): Promise<void>;
  /** Returns whether sessions of other workspaces have yet to be searched. */
  canWiden(): boolean;
}

/** The minimum time between two drawings of the views. */
const drawEveryMs = 500;
/** How long after a result its missing numbers are requested, and how often. */
const moreAfterMs = 2000;
const moreTimes = 12;
/** How many attributed items are listed. */
const itemsListed = 40;

/** The two views in the activity bar: the sessions, and below them the content of the shown session's window. */
export class Views implements vscode.Disposable {
  private readonly changedSessions = new vscode.EventEmitter<void>();
  private readonly changedFills = new vscode.EventEmitter<void>();
  private readonly sessions: vscode.TreeView<SessionNode>;
  private readonly fills: vscode.TreeView<FillNode>;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly setups: Setups;
  private shown: string | undefined;
  private fill: FillView | undefined;
  private past: readonly EarlierSession[] = [];
  /** The sessions at the last drawing. */
  private drawn = new Set<string>();
  private lines: readonly SessionNode[] = [];
  /** Whether the unread sessions have been looked up for the current list. */
  private lookedUp = false;
  /** How many more times the numbers of unread sessions may be requested. */
  private more = moreTimes;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ViewsHost) {
    this.sessions = vscode.window.createTreeView('ctx.sessions', {
      treeDataProvider: {
        onDidChangeTreeData: this.changedSessions.event,
        getTreeItem: (node: SessionNode) => sessionItem(node, this.view),
        getChildren: (node?: SessionNode) => (node ? nodesBelow(node) : this.top()),
      },
      dragAndDropController: dropped(),
    });
    this.fills = vscode.window.createTreeView('ctx.fills', {
      treeDataProvider: {
        onDidChangeTreeData: this.changedFills.event,
        getTreeItem: (node: FillNode) => fillItem(node, this.fill as FillView),
        getChildren: (node?: FillNode) => this.leaves(node),
      },
      dragAndDropController: dropped(),
    });
    this.setups = new Setups(
      (method, params) => this.host.call(method, params),
      () => this.drawSoon(),
      (title, text) => this.host.page(title, text),
    );
    this.subscriptions.push(
      this.sessions,
      this.fills,
      this.setups,
      this.changedSessions,
      this.changedFills,
      this.sessions.onDidChangeVisibility(() => this.again()),
      this.fills.onDidChangeVisibility(() => this.drawSoon()),
      vscode.commands.registerCommand(chooseCommand, async () => this.choose(await selectedLine(this.sessions))),
      vscode.commands.registerCommand(placeCommand, async () => this.open(await selectedLine(this.fills))),
    );
  }

  /** Redraws the views, because sessions have changed, or another one is shown. */
  changed(shown: string | undefined): void {
    this.shown = shown;
    this.drawSoon();
  }

  /** Looks up the unread sessions again, because there is another daemon, or the view has become visible or hidden. */
  again(): void {
    this.more = moreTimes;
    this.lookedUp = false;
    this.drawSoon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.later);
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private get view(): SessionsView {
    return {
      ...this.host.sessions(),
      past: this.past.filter(isPastHere),
      pastElsewhere: this.past.filter((p) => !isPastHere(p)),
      shown: this.shown,
      now: Date.now(),
    };
  }

  private get isEmpty(): boolean {
    const { here, elsewhere } = this.host.sessions();
    return here.length + elsewhere.length === 0;
  }

  private drawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.draw();
    }, drawEveryMs);
  }

  private async draw(): Promise<void> {
    const { here } = this.view;
    const due = here.filter((r) => severity(r.compaction.level) === 'error' && !isDim(r)).length;
    // An editor shows the badge even if the view is hidden, and redraws it only if it is another object.
    if ((this.sessions.badge?.value ?? 0) !== due) {
      this.sessions.badge =
        due === 0
          ? undefined
          : {
              value: due,
              tooltip:
                due === 1
                  ? vscode.l10n.t('1 session may compact with its next request')
                  : vscode.l10n.t('{0} sessions may compact with their next request', due),
            };
    }
    if (this.sessions.visible) {
      const { sentence, welcome } = this.host.absence();
      const message = this.isEmpty && welcome === '' ? sentence : this.host.outdated();
      this.sessions.message = (message || undefined) as string;
      await this.lookUp();
      this.changedSessions.fire();
    }
    if (this.fills.visible) {
      await this.drawFills();
    }
  }

  /** Looks up the unread sessions once, and the agents that were found if there are no sessions. */
  private async lookUp(): Promise<void> {
    const { here, elsewhere } = this.host.sessions();
    const now = new Set([...here, ...elsewhere].map((r) => r.session));
    if ([...this.drawn].some((id) => !now.has(id))) {
      this.lookedUp = false; // a closed session is no longer read or no longer exists
    }
    this.drawn = now;
    if (this.lookedUp) {
      return;
    }
    this.lookedUp = true;
    this.past = await this.host.past();
    if (this.more-- > 0 && hasMore(this.past, Date.now())) {
      clearTimeout(this.later);
      this.later = setTimeout(() => {
        this.lookedUp = false;
        this.drawSoon();
      }, moreAfterMs);
    }
    if (this.isEmpty) {
      this.lines = await this.emptyLines();
    }
  }

  /** Returns the agents that were found, for an empty view. */
  private async emptyLines(): Promise<SessionNode[]> {
    const found = await this.host.found().catch(() => undefined);
    return foundLines(found, Date.now()).map((line) => ({ kind: 'line', ...line }));
  }

  private top(): SessionNode[] {
    const nodes = topNodes(this.view);
    if (!this.isEmpty) {
      return nodes;
    }
    const { welcome, ways: all } = this.host.absence();
    if (welcome !== '') {
      return nodes; // the view's welcome describes the situation if there are none
    }
    const lines: SessionNode[] = [...this.lines];
    if (this.host.canWiden()) {
      lines.push({
        kind: 'way',
        title: vscode.l10n.t('Look for Sessions of Other Workspaces'),
        command: 'ctx.lookElsewhere',
      });
    }
    lines.push({ kind: 'way', title: vscode.l10n.t('Agents Found'), command: 'ctx.whatWasFound' });
    for (const way of all) {
      lines.push({ kind: 'way', title: wayTitle(way), command: ways[way] });
    }
    return [...lines, ...nodes];
  }

  private async drawFills(): Promise<void> {
    const id = this.shown;
    const reading = id === undefined ? undefined : this.host.reading(id);
    if (id === undefined || !reading) {
      this.fill = undefined;
      this.fills.message = undefined as unknown as string; // the view's welcome is shown if there is none
      this.fills.description = '';
    } else {
      const items = await this.host.call<Items>('ctx/session/items', { id, top: itemsListed }).catch(() => undefined); // the session may have ended in the meantime
      if (this.shown !== id) {
        return;
      }
      this.fill = {
        reading,
        items: items && translatedItems(items),
        canOpen: canOpen(reading),
        setup: this.setups.of(reading, Date.now()),
      };
      this.fills.message = [lead(reading, Date.now()), allowanceSentence(reading, Date.now())]
        .filter(Boolean)
        .join(' · ');
      this.fills.description = nameOf(reading);
    }
    this.changedFills.fire();
  }

  private leaves(node: FillNode | undefined): FillNode[] {
    if (!this.fill) {
      return [];
    }
    if (node === undefined) {
      return fillGroups(this.fill);
    }
    return node.kind === 'group' ? fillLeaves(this.fill, node.id) : [];
  }

  private async choose(line: SessionNode | undefined): Promise<void> {
    if (line?.kind === 'session') {
      await this.host.choose(line.reading.session);
    } else if (line?.kind === 'past') {
      await this.host.choose(line.past.session);
    }
  }

  private async open(line: FillNode | undefined): Promise<void> {
    const reading = this.fill?.reading && this.host.reading(this.fill.reading.session);
    if (reading && canOpen(reading) && line?.kind === 'leaf' && line.place !== null) {
      await openPlace(reading, line.place);
    }
  }
}
