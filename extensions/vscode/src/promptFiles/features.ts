// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { Backend } from '../backend';
import { readPromptFileConfig } from '../config';
import { breakdownCommand, showBreakdown } from './breakdown';
import type { ByteText } from './bytes';
import { CoreDocuments, type DocumentsHost } from './documents';
import { promptFileSelector } from './selector';
import { breakdownMarkdown, headline, importMarkdown, sectionMarkdown, sectionTooltip } from './view';

/** The features in prompt files where the core runs inside this extension: the same as the daemon brings elsewhere. */
export class CoreFeatures implements vscode.Disposable {
  private readonly documents: CoreDocuments;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly hintsChanged = new vscode.EventEmitter<void>();
  private readonly diagnostics = vscode.languages.createDiagnosticCollection('ctx');
  private readonly subscriptions: vscode.Disposable[];

  constructor(backend: Backend, log: vscode.LogOutputChannel, host: DocumentsHost) {
    this.documents = new CoreDocuments(backend, log, host);
    this.subscriptions = [
      this.documents,
      this.lensesChanged,
      this.hintsChanged,
      this.diagnostics,
      this.documents.onChange((uri) => {
        this.lensesChanged.fire();
        this.hintsChanged.fire();
        void this.diagnose(uri);
      }),
      vscode.workspace.onDidCloseTextDocument((d) => this.diagnostics.delete(d.uri)),
      vscode.languages.registerCodeLensProvider(promptFileSelector, {
        onDidChangeCodeLenses: this.lensesChanged.event,
        provideCodeLenses: (d) => this.lenses(d),
      }),
      vscode.languages.registerInlayHintsProvider(promptFileSelector, {
        onDidChangeInlayHints: this.hintsChanged.event,
        provideInlayHints: (d, range) => this.hints(d, range),
      }),
      vscode.languages.registerHoverProvider(promptFileSelector, {
        provideHover: (d, position) => this.hover(d, position),
      }),
      vscode.languages.registerDocumentLinkProvider(promptFileSelector, { provideDocumentLinks: (d) => this.links(d) }),
      vscode.commands.registerCommand(breakdownCommand, async (uri: string) => {
        const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
        const counted = document && (await this.documents.get(document));
        const markdown = counted && breakdownMarkdown(counted.view);
        if (markdown) {
          await showBreakdown(uri);
        }
        return markdown;
      }),
    ];
  }

  /** Counts for the session that is shown, when its model or its window is another one than before. */
  sessionIs(reading: Reading | undefined): void {
    this.documents.sessionIs(reading);
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const counted = readPromptFileConfig(document.uri).codeLens ? await this.documents.get(document) : undefined;
    if (!counted) {
      return [];
    }
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title: headline(counted.view),
        command: breakdownCommand,
        arguments: [document.uri.toString()],
      }),
    ];
  }

  private async hints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const counted = readPromptFileConfig(document.uri).inlayHints ? await this.documents.get(document) : undefined;
    const hints: vscode.InlayHint[] = [];
    for (const section of counted?.view.sections ?? []) {
      const at = position(counted?.text as ByteText, section.to);
      if (range.contains(at)) {
        const hint = new vscode.InlayHint(at, section.display);
        hint.paddingLeft = true;
        hint.tooltip = sectionTooltip(section);
        hints.push(hint);
      }
    }
    return hints;
  }

  private async hover(document: vscode.TextDocument, at: vscode.Position): Promise<vscode.Hover | undefined> {
    const counted = readPromptFileConfig(document.uri).hover ? await this.documents.get(document) : undefined;
    if (!counted) {
      return undefined;
    }
    const { view, text } = counted;
    for (const i of view.imports ?? []) {
      const range = span(text, i.from, i.to);
      if (range.contains(at)) {
        return new vscode.Hover(new vscode.MarkdownString(importMarkdown(i)), range);
      }
    }
    if (at.line === 0) {
      return new vscode.Hover(new vscode.MarkdownString(breakdownMarkdown(view)), document.lineAt(0).range);
    }
    for (const section of view.sections ?? []) {
      const range = span(text, section.from, section.to);
      if (range.contains(at)) {
        return new vscode.Hover(new vscode.MarkdownString(sectionMarkdown(section)), range);
      }
    }
    return undefined;
  }

  private async links(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const counted = await this.documents.get(document);
    return (counted?.view.imports ?? [])
      .filter((i) => i.id)
      .map(
        (i) =>
          new vscode.DocumentLink(span((counted as { text: ByteText }).text, i.from, i.to), vscode.Uri.parse(i.id)),
      );
  }

  private async diagnose(uri: vscode.Uri): Promise<void> {
    const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
    const counted = document && readPromptFileConfig(uri).diagnostics ? await this.documents.get(document) : undefined;
    const list = (counted?.view.findings ?? []).map((f) => {
      const diagnostic = new vscode.Diagnostic(
        span((counted as { text: ByteText }).text, f.from, f.to),
        f.message,
        (f.severity - 1) as vscode.DiagnosticSeverity,
      );
      diagnostic.source = 'ctx';
      diagnostic.code = f.code;
      return diagnostic;
    });
    this.diagnostics.set(uri, list);
  }
}

function position(text: ByteText, byte: number): vscode.Position {
  const { line, character } = text.placeAt(byte);
  return new vscode.Position(line, character);
}

function span(text: ByteText, from: number, to: number): vscode.Range {
  return new vscode.Range(position(text, from), position(text, to));
}
