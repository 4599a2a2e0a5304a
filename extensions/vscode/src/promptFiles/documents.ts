// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { DocumentView, Drawn, ShowOptions } from '../../api/types';
import { type Backend, CallError } from '../backend';
import { readPromptFileConfig } from '../config';
import { asPhrases } from '../phrases';
import { ByteText } from './bytes';
import { findImport, type RealPath } from './imports';
import { promptFileSelector } from './selector';
import type { Counting } from './weights';

/** The most files that the open documents may import. */
const maxFiles = 1000;
/** The core's view of a document, renewed after each change. Positions are in VS Code's own units, UTF-16. */
const draw: ShowOptions['draw'] = ['lenses', 'hints', 'hovers', 'links', 'diagnostics', 'breakdown'];
/** The set of documents of this window, which may import one another. */
const set = 'vscode';

/** The parts of the window that counting needs. */
export interface DocumentsHost {
  /** Returns the model and the window of the shown session; undefined if there is none. */
  counting(): Counting | undefined;
  readonly realPath: RealPath | undefined;
}

/** The result of counting an open prompt file. */
interface Counted {
  readonly view: DocumentView;
  readonly text: ByteText;
}

/**
 * The open prompt files, counted by the core inside this extension. It does the daemon's work if there is none: it
 * keeps the core's copy of each document up to date, and finds the files that a document imports.
 */
export class CoreDocuments implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires when a document has been recounted. */
  readonly onChange = this.changed.event;
  private readonly counted = new Map<string, Promise<Counted | undefined>>();
  private readonly files = new Set<string>();
  /** The model and the window that documents were last counted for. */
  private weighed = ' ';
  private readonly subscriptions: vscode.Disposable[] = [this.changed];

  constructor(
    private readonly backend: Backend,
    private readonly log: vscode.LogOutputChannel,
    private readonly host: DocumentsHost,
  ) {
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((d) => this.open(d)),
      vscode.workspace.onDidCloseTextDocument((d) => this.close(d)),
      vscode.workspace.onDidChangeTextDocument((e) => this.change(e)),
      vscode.workspace.onDidSaveTextDocument(() => this.reopenImporters()),
      vscode.workspace.onDidChangeConfiguration(
        (e) =>
          (e.affectsConfiguration('ctx.promptFiles') ||
            e.affectsConfiguration('ctx.model') ||
            e.affectsConfiguration('ctx.agent')) &&
          this.reopen(),
      ),
    );
    this.reopen();
  }

  /**
   * Returns the core's drawing of the document from its last count. It waits for a running count; undefined if there is
   * none.
   */
  async drawn(document: vscode.TextDocument): Promise<Drawn | undefined> {
    return (await this.counted.get(document.uri.toString()))?.view.drawn ?? undefined;
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  /** Recounts if the shown session has a different model or window. */
  sessionIs(counting: Counting | undefined): void {
    const now = `${counting?.model ?? ''} ${counting?.limit ?? ''}`;
    if (now !== this.weighed) {
      this.weighed = now;
      this.reopen();
    }
  }

  private reopen(): void {
    for (const d of vscode.workspace.textDocuments) {
      this.open(d);
    }
  }

  /** Recounts open documents with imports, which may include the saved file. */
  private reopenImporters(): void {
    for (const document of vscode.workspace.textDocuments) {
      const before = this.counted.get(document.uri.toString());
      void before?.then((c) => c?.view.imports?.length && this.open(document));
    }
  }

  private open(document: vscode.TextDocument): void {
    if (vscode.languages.match(promptFileSelector, document) > 0) {
      this.next(document, () => this.give(document));
    }
  }

  private close(document: vscode.TextDocument): void {
    const id = document.uri.toString();
    if (this.counted.delete(id)) {
      void this.backend.call('ctx/document/close', { id, set }).catch(() => undefined);
    }
  }

  private change({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0 || !this.counted.has(document.uri.toString())) {
      return;
    }
    const text = document.getText();
    this.next(document, async (before) => {
      if (!before) {
        return this.give(document);
      }
      const changes: { from: number; to: number; text: string }[] = [];
      let current = before.text;
      for (const c of contentChanges) {
        changes.push({
          from: current.byteAt(c.rangeOffset),
          to: current.byteAt(c.rangeOffset + c.rangeLength),
          text: c.text,
        });
        current = new ByteText(
          current.text.slice(0, c.rangeOffset) + c.text + current.text.slice(c.rangeOffset + c.rangeLength),
        );
      }
      if (current.text !== text && document.version > 0 && document.getText() === text) {
        return this.give(document);
      }
      const view = await this.ask('ctx/document/change', { id: document.uri.toString(), set, changes }, document.uri);
      const targets = (v: DocumentView): string => JSON.stringify((v.imports ?? []).map((i) => i.target));
      return {
        text: current,
        view: targets(view) === targets(before.view) ? view : await this.resolve(document.uri, view),
      };
    });
  }

  /**
   * Runs a piece of work on a document after the earlier ones. A document with failed work is sent to the core again at
   * the next change.
   */
  private next(document: vscode.TextDocument, work: (before: Counted | undefined) => Promise<Counted>): void {
    const id = document.uri.toString();
    const before = this.counted.get(id) ?? Promise.resolve(undefined);
    const done = before.then(work).catch((error: unknown) => {
      const failure = CallError.from(error);
      this.log.warn(`${document.uri.path} cannot be counted: ${failure.message}`);
      return undefined;
    });
    this.counted.set(id, done);
    void done.then(() => this.changed.fire(document.uri));
  }

  private async give(document: vscode.TextDocument): Promise<Counted> {
    const text = new ByteText(document.getText());
    const { model, agent } = readPromptFileConfig(document.uri);
    const view = await this.ask(
      'ctx/document/open',
      { ...who(document.uri, text.text), ...this.weighedFor(model), ...(agent && { agent }) },
      document.uri,
    );
    return { text, view: await this.resolve(document.uri, view) };
  }

  /**
   * Returns the model and the window: those of the shown session, as on the status item. If a setting chooses a model
   * other than the session's, the window is left to the core.
   */
  private weighedFor(chosen: string): { model?: string; limit?: number } {
    const session = this.host.counting();
    const model = chosen || session?.model;
    const limit = session && model === session.model ? session.limit : null;
    return { ...(model ? { model } : {}), ...(model && limit !== null ? { limit } : {}) };
  }

  /** Finds the files that a document imports, and returns the view with these imports. */
  private async resolve(uri: vscode.Uri, view: DocumentView): Promise<DocumentView> {
    if (!view.imports?.length) {
      return view;
    }
    await this.link(uri, view, new Set([uri.toString()]), 0);
    return this.ask('ctx/document/view', { id: uri.toString(), set }, uri);
  }

  private async link(uri: vscode.Uri, view: DocumentView, seen: Set<string>, depth: number): Promise<void> {
    const imports: { target: string; id?: string; problem?: string }[] = [];
    for (const target of new Set((view.imports ?? []).map((i) => i.target))) {
      const found = await findImport(target, uri, this.host.realPath);
      if ('problem' in found) {
        imports.push({ target, problem: found.problem });
        continue;
      }
      const id = found.uri.toString();
      if (!seen.has(id) && depth < 6) {
        seen.add(id);
        if (this.files.size >= maxFiles && !this.files.has(id)) {
          imports.push({ target, problem: 'tooLarge' });
          continue;
        }
        this.files.add(id);
        const imported = await this.backend.call<DocumentView>('ctx/document/open', {
          ...who(found.uri, found.text),
          model: view.model,
          agent: view.agent,
          show: { sections: false, findings: false },
        });
        await this.link(found.uri, imported, seen, depth + 1);
      }
      imports.push({ target, id });
    }
    if (imports.length > 0) {
      await this.backend.call('ctx/document/change', { id: uri.toString(), set, imports, show: {} });
    }
  }

  private ask(method: string, params: object, uri: vscode.Uri): Promise<DocumentView> {
    const { budget } = readPromptFileConfig(uri);
    return this.backend.call<DocumentView>(method, {
      ...params,
      show: { sections: false, findings: false, budget, draw, units: 'utf-16', phrases: asPhrases() },
    });
  }
}

function who(uri: vscode.Uri, text: string): { id: string; set: string; path: string; text: string } {
  return { id: uri.toString(), set, path: vscode.workspace.asRelativePath(uri, false), text };
}
