// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

const scheme = 'ctx-page';
/** How many pages are kept in memory, so that an open one stays readable when others follow. */
const kept = 8;

/** Shows Markdown texts in the editor's preview. They are not saved. */
export class Pages implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration: vscode.Disposable;
  private count = 0;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) =>
        this.texts.get(uri.query) ?? vscode.l10n.t('This page was not saved. Run the command again.'),
    });
  }

  /** Shows a page in the preview, or as text if the editor has no preview. */
  async show(title: string, text: string): Promise<void> {
    this.count += 1;
    const query = String(this.count);
    this.texts.set(query, text);
    this.texts.delete(String(this.count - kept));
    const uri = vscode.Uri.from({ scheme, path: `/${title.replace(/[/\\?#%]/g, ' ')}.md`, query });
    try {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } catch {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }
}
