// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { agentOfWebview } from './agents';
import type { FocusedReading } from './backend';
import { isInside } from './folders';
import type { Sessions } from './sessions';

/** The focused item of this window, as far as an extension can see. */
type Front =
  | { readonly kind: 'terminal'; readonly terminal: vscode.Terminal }
  | { readonly kind: 'file'; readonly uri: vscode.Uri }
  | { readonly kind: 'chat'; readonly agent: string }
  | { readonly kind: 'nothing' };

/** Why the session on the status item is shown; the tooltip contains it. */
export type Reason = 'pinned' | 'terminal' | 'unsure' | 'chat' | 'api' | 'folder' | 'latest';

export interface Shown {
  readonly session: string;
  readonly reason: Reason;
}

/** Sends what has the focus to the daemon, which returns the session there. */
export type AskFocus = (front: {
  session?: string;
  terminalPid?: number;
  file?: string;
  workspace?: string;
}) => Promise<FocusedReading | null>;

/**
 * Decides which session the window shows: the one that the user has pinned, otherwise the one that an extension has
 * brought to the front, otherwise that of the focused chat, otherwise the daemon's choice for the focused terminal or
 * file, otherwise the latest of this window.
 */
export class Focus implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Shown | undefined>();
  readonly onChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[] = [this.changed];
  private front: Front = { kind: 'nothing' };
  private pinned: string | undefined;
  /** The session that an extension has brought to the front, until the focus moves elsewhere. */
  private broughtUp: string | undefined;
  /** The daemon's choice for what has the focus. */
  private daemonChoice: Shown | undefined;
  /** The session that this window has chosen itself, as sent to the daemon. */
  private named: string | undefined;
  private current: Shown | undefined;
  /** The number of the last request, so that late replies are recognized. */
  private question = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly ask: AskFocus,
    private readonly isHere: (reading: Reading) => boolean,
    private readonly following: () => boolean,
  ) {
    const terminalInFront = (terminal: vscode.Terminal | undefined): void => {
      if (terminal && terminal === vscode.window.activeTerminal) {
        this.turnTo({ kind: 'terminal', terminal });
      }
    };
    this.subscriptions.push(
      vscode.window.onDidChangeActiveTerminal(terminalInFront),
      vscode.window.onDidChangeTerminalState(terminalInFront),
      vscode.window.onDidChangeActiveTextEditor(
        (editor) => editor && this.turnTo({ kind: 'file', uri: editor.document.uri }),
      ),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.turnBackTo(textEditor)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.turnToTab()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.turnToTab()),
    );
    const editor = vscode.window.activeTextEditor;
    const terminal = vscode.window.activeTerminal;
    if (editor) {
      this.front = { kind: 'file', uri: editor.document.uri };
    } else if (terminal) {
      this.front = { kind: 'terminal', terminal };
    }
  }

  get shown(): Shown | undefined {
    return this.current;
  }

  get isPinned(): boolean {
    return this.pinned !== undefined;
  }

  /** Shows one session until {@link unpin}, wherever the focus moves. */
  pin(session: string): void {
    this.pinned = session;
    this.decide();
  }

  unpin(): void {
    this.pinned = undefined;
    this.decide();
  }

  /** Shows the session that an extension has brought to the front, until the focus moves elsewhere. */
  bringUp(session: string): void {
    this.broughtUp = session;
    this.decide();
  }

  /** Applies the daemon's choice: a reply, or a notification that another session has the focus. */
  apply(reading: FocusedReading | null): void {
    const reason = reading && namedReason(reading.focus.reason);
    // If the agent of a terminal may be running any of several sessions, the terminal is not the reason for the one
    // shown.
    const unsure = reason !== 'terminal' && (reading?.focus.candidates ?? []).length > 0;
    this.daemonChoice =
      reading && reason ? { session: reading.session, reason: unsure ? 'unsure' : reason } : undefined;
    this.decide();
  }

  /**
   * Decides again, because sessions have appeared, closed or changed. A session that the window has chosen itself is
   * sent to the daemon, which counts prompt files for the session that is shown.
   */
  decide(): void {
    const named = this.chosenHere()?.session;
    if (named !== this.named) {
      this.named = named;
      void this.askAgain();
    }
    const next = this.choose();
    if (next?.session !== this.current?.session || next?.reason !== this.current?.reason) {
      this.current = next;
      this.changed.fire(next);
    }
  }

  /** Sends what has the focus to the daemon again, because the daemon is new or something else has the focus. */
  async askAgain(): Promise<void> {
    const question = ++this.question;
    let answer: FocusedReading | null = null;
    try {
      answer = await this.ask(await this.params());
    } catch {
      // Without a reply, the latest session of this window is shown.
    }
    if (question === this.question) {
      this.apply(answer);
    }
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private choose(): Shown | undefined {
    return (
      this.chosenHere() ??
      (this.daemonChoice && this.sessions.get(this.daemonChoice.session) ? this.daemonChoice : undefined) ??
      this.latest()
    );
  }

  /** Returns the session that this window chooses without the daemon; undefined if the daemon decides. */
  private chosenHere(): Shown | undefined {
    if (this.pinned !== undefined && this.sessions.get(this.pinned)) {
      return { session: this.pinned, reason: 'pinned' };
    }
    if (!this.following()) {
      return this.latest();
    }
    if (this.broughtUp !== undefined && this.sessions.get(this.broughtUp)) {
      return { session: this.broughtUp, reason: 'api' };
    }
    return this.ofChat();
  }

  private ofChat(): Shown | undefined {
    const { front } = this;
    const reading =
      front.kind === 'chat' ? this.sessions.latest((r) => r.agent === front.agent && this.isHere(r)) : undefined;
    return reading && { session: reading.session, reason: 'chat' };
  }

  private latest(): Shown | undefined {
    const reading = this.sessions.latest(this.isHere);
    return reading && { session: reading.session, reason: 'latest' };
  }

  /** Returns the params of ctx/focus; the first of their fields that leads to a session decides. */
  private async params(): Promise<Parameters<AskFocus>[0]> {
    const session = this.chosenHere()?.session;
    return { ...(session === undefined ? {} : { session }), ...(await this.inFront()) };
  }

  private async inFront(): Promise<Parameters<AskFocus>[0]> {
    const { front } = this;
    const folders = (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
    const only = folders.length === 1 ? folders[0] : undefined;
    switch (front.kind) {
      case 'terminal': {
        const terminalPid = await front.terminal.processId;
        const cwd = workingDirectory(front.terminal);
        const workspace = (cwd === undefined ? undefined : folders.find((folder) => isInside(cwd, folder))) ?? only;
        return {
          ...(terminalPid === undefined ? {} : { terminalPid }),
          ...(workspace === undefined ? {} : { workspace }),
        };
      }
      case 'file': {
        const folder = vscode.workspace.getWorkspaceFolder(front.uri);
        const workspace = folder?.uri.fsPath ?? only;
        // A file outside of every folder does not indicate which agent works in this window.
        const file = folder && front.uri.scheme === 'file' ? front.uri.fsPath : undefined;
        return { ...(file === undefined ? {} : { file }), ...(workspace === undefined ? {} : { workspace }) };
      }
      default:
        return only === undefined ? {} : { workspace: only };
    }
  }

  private turnToTab(): void {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputWebview) {
      const agent = agentOfWebview(input.viewType);
      if (agent) {
        this.turnTo({ kind: 'chat', agent });
      }
    } else if (input instanceof vscode.TabInputTerminal && vscode.window.activeTerminal) {
      this.turnTo({ kind: 'terminal', terminal: vscode.window.activeTerminal });
    } else if (this.front.kind === 'chat' && input instanceof vscode.TabInputText) {
      this.turnTo({ kind: 'file', uri: input.uri });
    }
  }

  /**
   * An editor has the focus when its cursor moves, even if it was already the active one while a terminal had the
   * focus.
   */
  private turnBackTo(editor: vscode.TextEditor): void {
    if (editor === vscode.window.activeTextEditor && this.front.kind !== 'file') {
      this.turnTo({ kind: 'file', uri: editor.document.uri });
    }
  }

  private turnTo(front: Front): void {
    if (front.kind === 'file' && front.uri.scheme === 'output') {
      return;
    }
    this.front = front;
    this.broughtUp = undefined;
    this.decide();
    void this.askAgain();
  }
}

/**
 * Returns the reason for the daemon's choice. Its fallback, the machine's newest session, does not belong to this
 * window: undefined.
 */
function namedReason(shown: string): Reason | undefined {
  switch (shown) {
    case 'terminal':
      return 'terminal';
    case 'file':
    case 'workspace':
      return 'folder';
    default:
      return undefined;
  }
}

function workingDirectory(terminal: vscode.Terminal): string | undefined {
  const options = terminal.creationOptions as vscode.TerminalOptions;
  // The oldest supported editor does not have shell integration.
  const { shellIntegration } = terminal as { shellIntegration?: { cwd?: vscode.Uri } };
  const cwd = shellIntegration?.cwd ?? options.cwd;
  return typeof cwd === 'string' ? cwd : cwd?.fsPath;
}
