// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { TextPosition, TextRange } from '../../api/types';
import type { Backend } from '../backend';
import { readPromptFileConfig } from '../config';
import { inWords } from '../phrases';
import { breakdownCommand, showBreakdown } from './breakdown';
import { CoreDocuments, type DocumentsHost } from './documents';
import { promptFileSelector } from './selector';
import type { Counting } from './weights';

/**
 * The features of prompt files when the core runs inside this extension, the same as the daemon's. The core returns
 * texts and positions; here they are converted to objects of the editor.
 */
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
        provideHover: (d, at) => this.hover(d, at),
      }),
      vscode.languages.registerDocumentLinkProvider(promptFileSelector, { provideDocumentLinks: (d) => this.links(d) }),
      vscode.commands.registerCommand(breakdownCommand, async (uri: string) => {
        const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
        const drawn = document && (await this.documents.drawn(document));
        const markdown = drawn?.breakdown;
        if (markdown) {
          await showBreakdown(uri);
        }
        return markdown && inWords(drawn?.breakdownPhrase, markdown);
      }),
    ];
  }

  /** Recounts if the model or the window of the shown session has changed. */
  sessionIs(counting: Counting | undefined): void {
    this.documents.sessionIs(counting);
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const drawn = readPromptFileConfig(document.uri).codeLens ? await this.documents.drawn(document) : undefined;
    return (drawn?.lenses ?? []).map(
      (l) =>
        new vscode.CodeLens(span(l.range), {
          title: inWords(l.phrase, l.title),
          command: breakdownCommand,
          arguments: [document.uri.toString()],
        }),
    );
  }

  private async hints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const drawn = readPromptFileConfig(document.uri).inlayHints ? await this.documents.drawn(document) : undefined;
    const hints: vscode.InlayHint[] = [];
    for (const h of drawn?.hints ?? []) {
      const at = position(h.position);
      if (range.contains(at)) {
        const hint = new vscode.InlayHint(at, h.label);
        hint.paddingLeft = true;
        hint.tooltip = inWords(h.phrase, h.tooltip);
        hints.push(hint);
      }
    }
    return hints;
  }

  private async hover(document: vscode.TextDocument, at: vscode.Position): Promise<vscode.Hover | undefined> {
    const drawn = readPromptFileConfig(document.uri).hover ? await this.documents.drawn(document) : undefined;
    const found = drawn?.hovers?.find((h) => span(h.range).contains(at));
    return found && new vscode.Hover(new vscode.MarkdownString(inWords(found.phrase, found.text)), span(found.range));
  }

  private async links(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const drawn = await this.documents.drawn(document);
    return (drawn?.links ?? []).map((l) => new vscode.DocumentLink(span(l.range), vscode.Uri.parse(l.id)));
  }

  private async diagnose(uri: vscode.Uri): Promise<void> {
    const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
    const drawn = document && readPromptFileConfig(uri).diagnostics ? await this.documents.drawn(document) : undefined;
    const list = (drawn?.diagnostics ?? []).map((f) => {
      const severity = (f.severity - 1) as vscode.DiagnosticSeverity;
      const diagnostic = new vscode.Diagnostic(span(f.range), inWords(f.phrase, f.message), severity);
      diagnostic.source = 'ctx';
      diagnostic.code = f.code;
      if (f.related) {
        const place = new vscode.Location(vscode.Uri.parse(f.related.id), span(f.related.range));
        diagnostic.relatedInformation = [
          new vscode.DiagnosticRelatedInformation(place, inWords(f.related.phrase, f.related.message)),
        ];
      }
      return diagnostic;
    });
    this.diagnostics.set(uri, list);
  }
}

function position({ line, character }: TextPosition): vscode.Position {
  return new vscode.Position(line, character);
}

function span({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(position(start), position(end));
}
