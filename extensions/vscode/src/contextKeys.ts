// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** How long it takes until a walkthrough that was just opened listens. */
const walkthroughMs = 1500;

/** The context keys that menus, views and walkthroughs ask for. */
export class ContextKeys implements vscode.Disposable {
  private readonly values = new Map<string, unknown>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tabs: vscode.Disposable;
  private hasPromptFile = false;

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

  /** A prompt file was shown with its size. */
  promptFileSeen(): void {
    this.hasPromptFile = true;
    this.set('ctx.promptFileSeen', true);
    this.tellWalkthrough();
  }

  /**
   * Tells an open walkthrough that there is a session, and that a prompt file was seen. The walkthrough notices a
   * context key only when it becomes true. A key that was true before never fires again, so the keys are set for a
   * moment whenever a walkthrough may be listening.
   */
  tellWalkthrough(): void {
    const seen = [
      ...(this.hasSession() ? ['ctx.sessionSeen'] : []),
      ...(this.hasPromptFile ? ['ctx.promptFileSeen'] : []),
    ];
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (seen.length > 0 && tab && tab.input === undefined) {
      const all = (value: boolean): void => {
        for (const key of seen) {
          this.set(key, value);
        }
      };
      all(false);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        all(true);
        this.timer = setTimeout(() => all(false), 300);
      }, walkthroughMs);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.tabs.dispose();
  }
}
