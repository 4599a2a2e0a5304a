import * as vscode from 'vscode';
import { belongs, isInside } from './folders';
import { agentOfWebview } from './agents';
import type { Reading } from './protocol';
import type { Sessions } from './sessions';

/** What is in front in this window, as far as an extension can see it. */
type Front =
  | { readonly kind: 'terminal'; readonly terminal: vscode.Terminal }
  | { readonly kind: 'file'; readonly uri: vscode.Uri }
  | { readonly kind: 'chat'; readonly agent: string }
  | { readonly kind: 'nothing' };

/** Why the session on the status item is the one shown; the tooltip says it. */
export type Reason = 'pinned' | 'terminal' | 'chat' | 'api' | 'folder' | 'latest';

export interface Shown {
  readonly session: string;
  readonly reason: Reason;
}

/**
 * Decides which session the window shows: the one a person pinned, the one an extension brought to the front,
 * the one of the terminal or chat in front, else the latest of the folder in front, else the latest of the window.
 */
export class Focus implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Shown | undefined>();
  readonly onChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[] = [this.changed];
  private front: Front = { kind: 'nothing' };
  private pinned: string | undefined;
  /** What the front itself names: the session of a terminal, or one that an extension brought up. */
  private named: Shown | undefined;
  private current: Shown | undefined;
  /** Counts looks, so that an answer that comes late is recognised. */
  private look = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly sessionOfTerminal: (pid: number) => Promise<Reading | null>,
    private readonly following: () => boolean,
  ) {
    this.subscriptions.push(
      vscode.window.onDidChangeActiveTerminal((terminal) => terminal && this.turnTo({ kind: 'terminal', terminal })),
      vscode.window.onDidChangeTerminalState((terminal) => {
        if (terminal === vscode.window.activeTerminal) {
          this.turnTo({ kind: 'terminal', terminal });
        }
      }),
      vscode.window.onDidOpenTerminal((terminal) => {
        if (terminal === vscode.window.activeTerminal) {
          this.turnTo({ kind: 'terminal', terminal });
        }
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.turnTo({ kind: 'file', uri: editor.document.uri })),
      vscode.window.tabGroups.onDidChangeTabs(() => this.turnToTab()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.turnToTab()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.decide()),
    );
    const editor = vscode.window.activeTextEditor;
    const terminal = vscode.window.activeTerminal;
    if (editor) {
      this.turnTo({ kind: 'file', uri: editor.document.uri });
    } else if (terminal) {
      this.turnTo({ kind: 'terminal', terminal });
    }
  }

  get shown(): Shown | undefined {
    return this.current;
  }

  get isPinned(): boolean {
    return this.pinned !== undefined;
  }

  /** Shows one session until {@link unpin}, wherever the focus goes. */
  pin(session: string): void {
    this.pinned = session;
    this.decide();
  }

  unpin(): void {
    this.pinned = undefined;
    this.decide();
  }

  /** An extension says that its session is in front, until the focus moves elsewhere. */
  bringUp(session: string): void {
    this.named = { session, reason: 'api' };
    this.decide();
  }

  /** Decides again: sessions have come, gone or changed. */
  decide(): void {
    const next = this.choose();
    if (next?.session !== this.current?.session || next?.reason !== this.current?.reason) {
      this.current = next;
      this.changed.fire(next);
    }
  }

  /** Asks again who works in the terminal in front: its agent may have started since. */
  lookAgain(): void {
    if (this.front.kind === 'terminal' && this.named === undefined) {
      this.turnTo(this.front);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((s) => s.dispose());
  }

  private choose(): Shown | undefined {
    if (this.pinned !== undefined && this.sessions.get(this.pinned)) {
      return { session: this.pinned, reason: 'pinned' };
    }
    if (!this.following()) {
      return this.latest();
    }
    if (this.named && this.sessions.get(this.named.session)) {
      return this.named;
    }
    return this.ofChat() ?? this.ofFolder() ?? this.latest();
  }

  private ofChat(): Shown | undefined {
    const { front } = this;
    const reading = front.kind === 'chat' ? this.sessions.latest((r) => r.agent === front.agent) : undefined;
    return reading && { session: reading.session, reason: 'chat' };
  }

  private ofFolder(): Shown | undefined {
    const folder = this.folderInFront();
    const reading = folder === undefined ? undefined : this.sessions.latest((r) => belongs(r.workspace, folder));
    return reading && { session: reading.session, reason: 'folder' };
  }

  private latest(): Shown | undefined {
    const reading = this.sessions.latest();
    return reading && { session: reading.session, reason: 'latest' };
  }

  /** The workspace folder of the file or terminal in front; only worth asking where there are several. */
  private folderInFront(): string | undefined {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (folders.length < 2) {
      return undefined;
    }
    if (this.front.kind === 'file') {
      return vscode.workspace.getWorkspaceFolder(this.front.uri)?.uri.fsPath;
    }
    const cwd = this.front.kind === 'terminal' ? workingDirectory(this.front.terminal) : undefined;
    return cwd && folders.map((f) => f.uri.fsPath).find((folder) => isInside(cwd, folder));
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

  private turnTo(front: Front): void {
    const look = ++this.look;
    this.front = front;
    if (front.kind !== 'terminal') {
      this.named = undefined;
      this.decide();
      return;
    }
    void this.askTerminal(front.terminal).then((reading) => {
      if (look === this.look) {
        if (reading) {
          this.sessions.put(reading, 'watched');
        }
        this.named = reading ? { session: reading.session, reason: 'terminal' } : undefined;
        this.decide();
      }
    });
  }

  private async askTerminal(terminal: vscode.Terminal): Promise<Reading | null> {
    try {
      const pid = await terminal.processId;
      return pid === undefined ? null : await this.sessionOfTerminal(pid);
    } catch {
      // Without an answer the terminal names nobody; the folder decides.
      return null;
    }
  }
}

function workingDirectory(terminal: vscode.Terminal): string | undefined {
  const options = terminal.creationOptions as vscode.TerminalOptions;
  // Shell integration is newer than the oldest editor this extension runs in.
  const { shellIntegration } = terminal as { shellIntegration?: { cwd?: vscode.Uri } };
  const cwd = shellIntegration?.cwd ?? options.cwd;
  return typeof cwd === 'string' ? cwd : cwd?.fsPath;
}
