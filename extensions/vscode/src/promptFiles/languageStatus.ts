// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { breakdownCommand } from './breakdown';
import { promptFileSelector } from './selector';

/** How long typing has to pause before the item is updated. */
const pauseMs = 400;

/** The item in the language status of a prompt file, with the text of its first code lens. */
export class PromptFileStatus implements vscode.Disposable {
  private item: vscode.LanguageStatusItem | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscriptions: vscode.Disposable[];
  private seen = false;

  constructor(private readonly onSeen: () => void) {
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.updateSoon()),
      vscode.workspace.onDidChangeTextDocument(
        (e) => e.document === vscode.window.activeTextEditor?.document && this.updateSoon(),
      ),
    ];
    this.updateSoon();
  }

  /** A backend has begun, or a document was counted anew. */
  updateSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), pauseMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item?.dispose();
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private async update(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || vscode.languages.match(promptFileSelector, document) === 0) {
      return;
    }
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      1,
    );
    const lens = lenses?.find((l) => l.command?.command === breakdownCommand);
    if (!lens?.command) {
      this.item?.dispose();
      this.item = undefined;
      return;
    }
    this.item ??= this.create();
    const [, tokens, rest] = /^(\S+ \S+) (.*)$/.exec(lens.command.title) ?? [];
    this.item.text = tokens ?? lens.command.title;
    this.item.detail = rest ?? '';
    this.item.command = {
      title: vscode.l10n.t('Show'),
      command: breakdownCommand,
      arguments: [document.uri.toString()],
    };
    if (!this.seen) {
      this.seen = true;
      this.onSeen();
    }
  }

  private create(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem('ctx.promptFile', promptFileSelector);
    item.name = vscode.l10n.t('Context Window');
    return item;
  }
}
