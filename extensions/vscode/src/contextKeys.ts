// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** How long it takes until a walkthrough that was just opened listens. */
const walkthroughMs = 1500;

/** The context keys that menus, views and walkthroughs ask for. */
export class ContextKeys implements vscode.Disposable {
  private readonly values = new Map<string, unknown>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tabs: vscode.Disposable;

  constructor(private readonly hasSession: () => boolean) {
    this.tabs = vscode.window.tabGroups.onDidChangeTabs(() => this.tellWalkthrough());
  }

  get(key: string): unknown {
    return this.values.get(key);
  }

  /** Sets a key when its value has changed. */
  set(key: string, value: unknown): void {
    if (this.values.get(key) !== value) {
      this.values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }

  /**
   * Tells an open walkthrough that there is a session. The walkthrough notices a context key only when it becomes true.
   * A key that was true before never fires again, so the key is set for a moment whenever a walkthrough may be
   * listening.
   */
  tellWalkthrough(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (this.hasSession() && tab && tab.input === undefined) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.set('ctx.sessionSeen', true);
        this.timer = setTimeout(() => this.set('ctx.sessionSeen', false), 300);
      }, walkthroughMs);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.tabs.dispose();
  }
}
