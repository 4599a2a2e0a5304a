// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, History, Reading } from '../../api/protocol';
import type { Panel as Panelled } from '../../api/types';
import { wayTitle } from '../absence';
import { agents } from '../agents.gen';
import { fullName, isDim, nameOf } from '../names';
import { translatedHistory } from '../phrases';
import { allowanceSentence, exact } from '../words';
import { type PanelHost, panelType } from './host';
import { fromPage, type PanelState, type ShownRow, type ShownSection, type ToPage } from './messages';
import { shownPanel } from './rows';
import { panelWords } from './words';

/** The minimum time between two refreshes, because drawing the chart of a long session takes time. */
const refreshMs = 300;

/** The only panel. It shows a session, and follows its changes while it is visible. */
export class Panel implements vscode.Disposable {
  private view: vscode.WebviewPanel | undefined;
  private session: string | undefined;
  private ready = false;
  /** The state that the page shows. */
  private last: PanelState | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: PanelHost) {}

  /** Takes over a panel that the editor has restored, with the session that it showed. */
  restore(view: vscode.WebviewPanel, state: unknown): void {
    const session = (state as { session?: unknown } | null)?.session;
    this.session = typeof session === 'string' ? session : undefined;
    this.adopt(view);
  }

  /** Opens the panel for one session, or brings it to the front. */
  show(session: string | undefined): void {
    this.session = session;
    if (this.view) {
      this.view.reveal();
      this.refreshSoon();
    } else {
      this.adopt(
        vscode.window.createWebviewPanel(panelType, vscode.l10n.t('Context window'), vscode.ViewColumn.Active, {}),
      );
    }
  }

  /** Redraws the panel, because names of sessions have changed. */
  again(): void {
    this.refreshSoon();
  }

  /**
   * Redraws the panel if it shows the changed session. A panel without a session, or with a closed one, switches to the
   * focused session.
   */
  changed(session: string, inFront: string | undefined): void {
    if (!this.view) {
      return;
    }
    if (this.session === undefined || this.host.reading(this.session) === undefined) {
      this.session = inFront ?? this.session;
      this.refreshSoon();
    } else if (session === this.session) {
      this.refreshSoon();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.view?.dispose();
  }

  private adopt(view: vscode.WebviewPanel): void {
    this.view?.dispose();
    this.view = view;
    this.ready = false;
    const media = vscode.Uri.joinPath(this.host.extensionUri, 'media');
    const dist = vscode.Uri.joinPath(this.host.extensionUri, 'dist');
    view.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [media, dist] };
    view.iconPath = {
      light: vscode.Uri.joinPath(media, 'panel-light.svg'),
      dark: vscode.Uri.joinPath(media, 'panel-dark.svg'),
    };
    view.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    view.onDidChangeViewState(() => this.refreshSoon());
    view.onDidDispose(() => {
      if (this.view === view) {
        this.view = undefined;
        clearTimeout(this.timer);
        this.timer = undefined;
      }
    });
    view.webview.html = page(
      view.webview,
      vscode.Uri.joinPath(dist, 'panel.js'),
      vscode.Uri.joinPath(media, 'panel.css'),
    );
  }

  private receive(raw: unknown): void {
    const message = fromPage(raw);
    switch (message?.type) {
      case 'ready':
        this.ready = true;
        this.post({ type: 'words', language: vscode.env.language, words: panelWords() });
        void this.refresh();
        break;
      case 'act':
        this.host.act(message.act, this.session === undefined ? undefined : this.host.reading(this.session));
        break;
      case 'way': {
        const way = this.host.absence().ways.find((w) => w === message.way);
        if (way) {
          this.host.go(way);
        }
        break;
      }
      case 'offer':
        void this.host.offer.answer(message.fetch);
        this.refreshSoon();
        break;
      case 'place': {
        const reading = this.session === undefined ? undefined : this.host.reading(this.session);
        if (reading && this.host.can(reading).place) {
          this.host.openPlace(reading, message.place);
        }
        break;
      }
      case 'session':
        this.session = message.session;
        this.refreshSoon();
        break;
    }
  }

  private refreshSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, refreshMs);
  }

  private async refresh(): Promise<void> {
    const { view, session } = this;
    if (!view?.visible || !this.ready) {
      return;
    }
    const outdated = this.host.outdated();
    if (outdated && this.last && this.last.session === session) {
      this.post({ ...this.last, outdated }); // there is no backend at the moment
      return;
    }
    const reading =
      session === undefined
        ? undefined
        : (this.host.reading(session) ?? (await this.ask<Reading>('ctx/session/reading', { id: session })));
    if (!reading) {
      const { sentence, ways } = this.host.absence();
      view.title = vscode.l10n.t('Context window');
      this.post({ type: 'empty', sentence, ways: ways.map((way) => ({ way, title: wayTitle(way) })) });
      return;
    }
    const id = reading.session;
    const [history, made] = await Promise.all([
      this.ask<History>('ctx/session/history', { id, points: 200 }),
      this.ask<{ panel?: Panelled }>('ctx/session/reading', { id, panel: true }),
    ]);
    if (this.session === id) {
      const latest = this.host.reading(id) ?? reading;
      view.title = vscode.l10n.t('Context of {0}', nameOf(latest));
      this.last = {
        type: 'state',
        session: id,
        outdated,
        name: fullName(latest),
        dim: isDim(latest),
        panel: panelOf(latest, made?.panel ?? { sections: [] }, Date.now()),
        allowance: allowanceSentence(latest, Date.now()),
        offer: this.host.offer.sentence,
        history: history ? translatedHistory(history) : null,
        can: this.host.can(reading),
      };
      this.post(this.last);
    }
  }

  private async ask<T>(method: string, params: object): Promise<T | undefined> {
    try {
      return await this.host.call<T>(method, params);
    } catch {
      // A session that has ended in the meantime has no history; the rest is still shown.
      return undefined;
    }
  }

  private post(message: ToPage): void {
    void this.view?.webview.postMessage(message);
  }
}

/**
 * Returns the panel of a session. Its sub-agents have the names of all other views, which hide titles if the user wants
 * that, and the editor adds two facts of its own: the proof for the agent, and how often the cache was used.
 */
function panelOf(reading: Reading, panel: Panelled, now: number): ShownSection[] {
  const names = childNames(reading.children);
  const proof = agents.find((a) => a.id === reading.agent)?.proof;
  const own = [
    ...(proof ? [fact(vscode.l10n.t('Agent checked'), proofWords(proof[0], proof[1]))] : []),
    fact(vscode.l10n.t('Read from cache'), exact(reading.spent.cacheRead)),
    fact(vscode.l10n.t('Written to cache'), exact(reading.spent.cacheWrite)),
  ];
  return shownPanel(panel, now).map((section) => ({
    ...section,
    rows: [
      ...section.rows.map((row) => (row.session ? { ...row, label: names[row.session] ?? row.session } : row)),
      ...(section.id === 'numbers' ? own : []),
    ],
  }));
}

const fact = (label: string, value: string): ShownRow => ({ id: 'own', label, value, note: '' });

function proofWords(proof: 'lab' | 'fixtures' | 'estimated' | 'described', versions: string): string {
  switch (proof) {
    case 'lab':
      return vscode.l10n.t('run in the lab, version {0}', versions);
    case 'fixtures':
      return vscode.l10n.t('compared with recordings of {0} only, without a promise', versions);
    case 'estimated':
      return vscode.l10n.t('estimated from texts, compared with recordings of {0} only', versions);
    case 'described':
      return vscode.l10n.t('read as other programs describe its files ({0}), without a promise', versions);
  }
}

function childNames(children: readonly Child[]): Record<string, string> {
  return Object.assign({}, ...children.map((c) => ({ [c.session]: nameOf(c), ...childNames(c.children) }))) as Record<
    string,
    string
  >;
}

/**
 * Returns the HTML of the page. It contains nothing inline and nothing remote: only a script and a style sheet of this
 * extension.
 */
function page(webview: vscode.Webview, script: vscode.Uri, style: vscode.Uri): string {
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src ${webview.cspSource}; font-src 'none'; img-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${webview.asWebviewUri(style).toString()}">
</head>
<body>
<main id="root" aria-live="off"></main>
<script src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}
