// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { readPromptFileConfig } from '../config';
import { exact } from '../words';
import { isAlways, isPromptFile, type WeightsHost, weigh } from './weights';

/** Marks prompt files in the Explorer that exceed their budget even without their imports. */
export class OverBudget implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri | undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly host: WeightsHost) {
    this.subscriptions = [
      this.changed,
      vscode.window.registerFileDecorationProvider(this),
      vscode.workspace.onDidSaveTextDocument((d) => isPromptFile(d.uri) && this.changed.fire(d.uri)),
      vscode.workspace.onDidChangeConfiguration(
        (e) => e.affectsConfiguration('ctx.promptFiles') && this.changed.fire(undefined),
      ),
    ];
  }

  /** Recounts the files with another backend. */
  again(): void {
    this.changed.fire(undefined);
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (!isPromptFile(uri)) {
      return undefined;
    }
    const config = readPromptFileConfig(uri);
    const budget = vscode.workspace
      .getConfiguration('ctx.promptFiles.budget', uri)
      .get<number>(isAlways(uri) ? 'always' : 'loaded', 0);
    if (!config.diagnostics || budget <= 0) {
      return undefined;
    }
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (b) => b,
      () => undefined,
    );
    const [tokens] = (bytes && (await weigh(this.host, uri, [new TextDecoder().decode(bytes)]))) ?? [];
    if (tokens === undefined || tokens <= budget) {
      return undefined;
    }
    const sentence = vscode.l10n.t('{0} tokens without its imports; the budget is {1}', exact(tokens), exact(budget));
    return new vscode.FileDecoration('!', sentence, new vscode.ThemeColor('list.warningForeground'));
  }
}
