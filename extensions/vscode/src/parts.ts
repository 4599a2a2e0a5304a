// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** Returns the name for an item of this kind without a name of its own. */
export function kindLabel(kind: string): string {
  switch (kind) {
    case 'summary':
      return vscode.l10n.t('Summary');
    case 'user':
      return vscode.l10n.t('User message');
    case 'assistant':
      return vscode.l10n.t('Answer');
    case 'toolCalls':
      return vscode.l10n.t('Tool call');
    case 'toolResults':
      return vscode.l10n.t('Tool result');
    case 'reasoning':
      return vscode.l10n.t('Reasoning');
    case 'media':
      return vscode.l10n.t('Image or file');
    case 'messages':
      return vscode.l10n.t('Message');
    case 'documents':
      return vscode.l10n.t('Document');
    default:
      return kind;
  }
}
