// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** How long it takes until a walkthrough that was just opened listens. */
const walkthroughMs = 1500;
/** How long a key is set that tells a walkthrough something. */
const pulseMs = 300;

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

  /** A prompt file was shown with its size, perhaps from a walkthrough that is open behind it. */
  promptFileSeen(): void {
    this.hasPromptFile = true;
    this.pulse(['ctx.promptFileSeen']);
  }

  /**
   * Tells an open walkthrough that there is a session, and that a prompt file was seen. The walkthrough notices a
   * context key only when it becomes true, and never one that was true when it was opened. So the keys are set for a
   * moment whenever a walkthrough may be listening.
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
