// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count } from '../../api/ctx-lsp';
import type { Basis } from '../../api/protocol';
import { LanguageStatus } from '../languageStatus';
import { type Counting, isPromptFile, modelFor } from '../promptFiles/weights';
import { exact, mark } from '../words';

/** How long typing or selecting must pause before the text is counted. */
const pauseMs = 300;
/** The maximum length of a counted text, in characters. */
const longest = 1 << 20;
/** The schemes of the user's texts, as opposed to those of the editor itself. */
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-test-web'];

/** The tokens of the active file, or of the selection in it, in the language status. */
export class TokenStatus extends LanguageStatus {
  /** The number of the last request, so that outdated replies are recognized. */
  private asked = 0;

  constructor(
    private readonly call: <T>(method: string, params: object) => Promise<T>,
    private readonly counting: () => Counting | undefined,
  ) {
    super(
      pauseMs,
      vscode.window.onDidChangeTextEditorSelection(() => this.soon()),
    );
  }

  protected async update(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !schemes.includes(editor.document.uri.scheme)) {
      return;
    }
    this.asked += 1;
    const question = this.asked;
    const selected = editor.selections.filter((s) => !s.isEmpty).map((s) => editor.document.getText(s));
    const text = selected.length > 0 ? selected.join('\n') : editor.document.getText();
    const model = modelFor(editor.document.uri, this.counting());
    // Without a session, the kind of a prompt file determines its model, and the line above it shows the number.
    const isPriced = model === undefined && selected.length === 0 && isPromptFile(editor.document.uri);
    const counted =
      isPriced || text.length > longest
        ? undefined
        : await this.call<Count>('ctx/count', { text, ...(model ? { model } : {}) }).catch(() => undefined);
    if (question !== this.asked) {
      return;
    }
    if (!counted) {
      this.hide();
      return;
    }
    const item = this.show();
    const tokens = `${mark(counted.basis as Basis)}${exact(counted.tokens)}`;
    item.text =
      selected.length > 0
        ? vscode.l10n.t('{0} tokens selected', tokens)
        : vscode.l10n.t('{0} tokens in this file', tokens);
    item.detail = model ? vscode.l10n.t('counted for {0}', model) : '';
  }

  protected create(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem('ctx.tokens', { pattern: '**' });
    item.name = vscode.l10n.t('Tokens');
    item.command = { title: vscode.l10n.t('Will it fit?'), command: 'ctx.fits' };
    return item;
  }
}
