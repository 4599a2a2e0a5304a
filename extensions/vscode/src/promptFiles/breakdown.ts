// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The command of the code lens; the daemon and the core return the breakdown in Markdown for it. */
export const breakdownCommand = 'ctx.document.breakdown';

/** Shows the breakdown of an open prompt file as the hover of its first line. */
export async function showBreakdown(uri: string): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri);
  if (!editor) {
    return;
  }
  await vscode.window.showTextDocument(editor.document, {
    ...(editor.viewColumn ? { viewColumn: editor.viewColumn } : {}),
    preserveFocus: false,
  });
  const top = new vscode.Position(0, 0);
  editor.selection = new vscode.Selection(top, top);
  editor.revealRange(new vscode.Range(top, top));
  // A hover that the mouse has just left is closed after a delay, and would close the requested one with it.
  const goes = vscode.workspace.getConfiguration('editor.hover', editor.document).get<number>('hidingDelay', 300);
  await new Promise((resolve) => setTimeout(resolve, Math.min(goes, 1000) + 200));
  await vscode.commands.executeCommand('editor.action.showHover');
}
