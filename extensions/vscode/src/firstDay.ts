// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';

const key = 'ctx.firstDayIsOver';

/** The time from the installation to the first session, unless the user ends it earlier. It never starts again. */
export class FirstDay {
  constructor(private readonly state: vscode.Memento) {}

  get lasts(): boolean {
    return this.state.get(key) !== true;
  }

  end(): void {
    if (this.lasts) {
      void this.state.update(key, true);
    }
  }
}
