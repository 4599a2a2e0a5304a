// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';

const overKey = 'ctx.firstDayIsOver';
const hiddenKey = 'ctx.waitingIsHidden';

/**
 * The time from the installation to the first session, which never starts again, and whether the user has hidden the
 * item that is shown without a session.
 */
export class FirstDay {
  constructor(private readonly state: vscode.Memento) {}

  get lasts(): boolean {
    return this.state.get(overKey) !== true;
  }

  get hidden(): boolean {
    return this.state.get(hiddenKey) === true;
  }

  end(): void {
    if (this.lasts) {
      void this.state.update(overKey, true);
    }
  }

  hide(): void {
    this.end();
    void this.state.update(hiddenKey, true);
  }
}
