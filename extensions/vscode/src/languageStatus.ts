// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** An item in the language status about the active file, updated once the user pauses. */
export abstract class LanguageStatus implements vscode.Disposable {
  private item: vscode.LanguageStatusItem | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    /** How long the user must pause before the item is updated. */
    private readonly pauseMs: number,
    ...also: vscode.Disposable[]
  ) {
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.soon()),
      vscode.workspace.onDidChangeTextDocument(
        (e) => e.document === vscode.window.activeTextEditor?.document && this.soon(),
      ),
      ...also,
    ];
  }

  /** Schedules an update, because the text of the item may have changed. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), this.pauseMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.hide();
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  /** Computes the text of the item, and shows or hides it. */
  protected abstract update(): Promise<void>;

  protected abstract create(): vscode.LanguageStatusItem;

  protected show(): vscode.LanguageStatusItem {
    this.item ??= this.create();
    return this.item;
  }

  protected hide(): void {
    this.item?.dispose();
    this.item = undefined;
  }
}
