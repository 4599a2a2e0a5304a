// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { LanguageStatus } from '../languageStatus';
import { breakdownCommand } from './breakdown';
import { promptFileSelector } from './selector';

/** How long typing must pause before the item is updated. */
const pauseMs = 400;

/** The item in the language status of a prompt file, with the text of its first code lens. */
export class PromptFileStatus extends LanguageStatus {
  private seen = false;

  constructor(private readonly onSeen: () => void) {
    super(pauseMs);
    this.soon();
  }

  protected async update(): Promise<void> {
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
      this.hide();
      return;
    }
    const item = this.show();
    const parts = vscode.l10n.bundle ? /^(.+?) ([(·].*)$/ : /^(\S+ \S+) (.*)$/; // “10k tokens”, and the rest
    const [, tokens, rest] = parts.exec(lens.command.title) ?? [];
    item.text = tokens ?? lens.command.title;
    item.detail = rest ?? '';
    item.command = {
      title: vscode.l10n.t('Show'),
      command: breakdownCommand,
      arguments: [document.uri.toString()],
    };
    if (!this.seen) {
      this.seen = true;
      this.onSeen();
    }
  }

  protected create(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem('ctx.promptFile', promptFileSelector);
    item.name = vscode.l10n.t('Context Window');
    return item;
  }
}
