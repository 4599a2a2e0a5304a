// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** How long a walkthrough takes to start listening after it was opened. */
const walkthroughMs = 1500;
/** How long a key for a walkthrough stays set. */
const pulseMs = 300;

/** The context keys that menus, views and walkthroughs use. */
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

  /** Sets a key if its value has changed. */
  set(key: string, value: unknown): void {
    if (this.values.get(key) !== value) {
      this.values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }

  /** Reports to an open walkthrough that a prompt file was shown with its size. */
  promptFileSeen(): void {
    this.hasPromptFile = true;
    this.pulse(['ctx.promptFileSeen']);
  }

  /**
   * Reports to an open walkthrough that there is a session, and that a prompt file was seen. A walkthrough notices a
   * context key only when it becomes true, and never one that was already true when it was opened. So the keys are set
   * for a moment whenever a walkthrough may be listening.
   */
  tellWalkthrough(): void {
    const seen = [
      ...(this.hasSession() ? ['ctx.sessionSeen'] : []),
      ...(this.hasPromptFile ? ['ctx.promptFileSeen'] : []),
    ];
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (seen.length > 0 && tab && tab.input === undefined) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.pulse(seen), walkthroughMs);
    }
  }

  private pulse(keys: readonly string[]): void {
    const all = (value: boolean): void => {
      for (const key of keys) {
        this.set(key, value);
      }
    };
    all(true);
    setTimeout(() => all(false), pulseMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.tabs.dispose();
  }
}
