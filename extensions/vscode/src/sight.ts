// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import type { SeesAnswer, SeesParams } from '../api/types';
import { CallError } from './backend';
import { nameOf } from './names';
import { words } from './phrases';
import { SightMarks } from './sightMarks';

export interface SightHost {
  call<T>(method: string, params: object): Promise<T>;
  /** The session that the window shows. */
  reading(): Reading | undefined;
}

/**
 * Shows what the next request of the shown session holds of the files in the visible editors, until it is disposed:
 * marks by state, hovers, and a sentence about the active file in the status bar.
 */
export class Sight implements vscode.Disposable {
  private readonly marks = new SightMarks();
  private readonly item = vscode.window.createStatusBarItem('ctx.sight', vscode.StatusBarAlignment.Left, -100);
  private readonly subscriptions: vscode.Disposable[];
  private readonly answers = new Map<string, SeesAnswer>();
  /** The documents with a call on its way, and whether they have changed since. */
  private readonly asking = new Map<string, boolean>();
  private ended = false;

  constructor(private readonly host: SightHost) {
    this.item.name = vscode.l10n.t('Lines in the Next Request');
    this.item.command = 'ctx.showSight';
    this.subscriptions = [
      this.marks,
      this.item,
      vscode.window.onDidChangeVisibleTextEditors(() => this.again()),
      vscode.window.onDidChangeActiveTextEditor(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.isVisible(document) && void this.ask(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.isVisible(document) && void this.ask(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.answers.delete(document.uri.toString())),
    ];
    this.again();
  }

  dispose(): void {
    this.ended = true;
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  /** Asks again about every visible file if the shown session is this one. */
  changed(session: string | undefined): void {
    if (session === this.host.reading()?.session) {
      this.again();
    }
  }

  private again(): void {
    for (const document of new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))) {
      void this.ask(document);
    }
    this.draw();
  }

  private isVisible(document: vscode.TextDocument): boolean {
    return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
  }

  /** Asks about a file. At most one call of a file is on its way, so that typing never waits for an old one. */
  private async ask(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    if (document.uri.scheme !== 'file') {
      return;
    }
    if (this.asking.has(key)) {
      this.asking.set(key, true);
      return;
    }
    this.asking.set(key, false);
    const answer = await this.answer(document);
    const stale = this.asking.get(key);
    this.asking.delete(key);
    if (this.ended) {
      return;
    }
    if (stale && this.isVisible(document)) {
      void this.ask(document);
      return;
    }
    this.answers.set(key, answer);
    this.draw();
  }

  private async answer(document: vscode.TextDocument): Promise<SeesAnswer> {
    const path = document.uri.fsPath;
    const id = this.host.reading()?.session;
    const nothing = (text: string): SeesAnswer => ({
      session: id ?? '',
      path,
      lines: 0,
      held: 0,
      ranges: [],
      text: { text },
    });
    if (id === undefined) {
      return nothing(vscode.l10n.t('There is no session here.'));
    }
    const params: SeesParams = { id, path, ...(document.isDirty ? { text: document.getText() } : {}) };
    return this.host.call<SeesAnswer>('ctx/sees', params).catch((error) => nothing(CallError.from(error).message));
  }

  private draw(): void {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    for (const editor of visibleTextEditors) {
      this.marks.show(editor, this.answers.get(editor.document.uri.toString())?.ranges ?? []);
    }
    const answer = activeTextEditor && this.answers.get(activeTextEditor.document.uri.toString());
    if (!answer) {
      this.item.hide();
      return;
    }
    const sentence = words(answer.text);
    const reading = this.host.reading();
    this.item.text = `$(eye) ${sentence}`;
    this.item.accessibilityInformation = { label: sentence };
    this.item.tooltip = [
      ...(reading ? [vscode.l10n.t('Session: {0}', nameOf(reading))] : []),
      vscode.l10n.t('In the request does not mean that the model pays attention to it.'),
      vscode.l10n.t('Click to hide'),
    ].join('\n');
    this.item.show();
  }
}
