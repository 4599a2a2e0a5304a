// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { type PanelHost, panelType } from './host';
import type { Panel } from './panel';

/** The panel, loaded when it is shown for the first time or when the editor restores one. */
export class PanelWhenShown implements vscode.Disposable {
  private panel: Panel | undefined;
  private loading: Promise<Panel> | undefined;
  private disposed = false;
  private readonly serializer: vscode.Disposable;

  constructor(private readonly host: PanelHost) {
    this.serializer = vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (view: vscode.WebviewPanel, state: unknown) =>
        (await this.loaded()).restore(view, state),
    });
  }

  /** Opens the panel for one session, or brings it to the front. */
  async show(session: string | undefined): Promise<void> {
    (await this.loaded()).show(session);
  }

  /** Redraws the panel, because names of sessions have changed. */
  again(): void {
    this.panel?.again();
  }

  /** Redraws the panel, because a Reading has changed. */
  changed(session: string, inFront: string | undefined): void {
    this.panel?.changed(session, inFront);
  }

  dispose(): void {
    this.disposed = true;
    this.serializer.dispose();
    this.panel?.dispose();
  }

  private loaded(): Promise<Panel> {
    this.loading ??= import('./panel').then(({ Panel }) => {
      this.panel = new Panel(this.host);
      if (this.disposed) {
        this.panel.dispose();
      }
      return this.panel;
    });
    return this.loading;
  }
}
