// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { FitsHost } from './fit/fits';
import { TokenStatus } from './fit/tokens';
import { type ForModelsHost, forModels } from './others/forModels';
import { PromptFileChange } from './promptFiles/change';
import { OverBudget } from './promptFiles/decorations';
import { promptFileFixes } from './promptFiles/fixes';
import type { WeightsHost } from './promptFiles/weights';

/**
 * Everything that is registered once the first backend has started, and not while the editor waits for the extension:
 * counts in the language status, decorations in the Explorer, quick fixes, the cost of changes, and tools for models.
 */
export class Later implements vscode.Disposable {
  private readonly tokens: TokenStatus;
  private readonly overBudget: OverBudget;
  private readonly change: PromptFileChange;
  private readonly subscriptions: vscode.Disposable[];

  constructor(host: FitsHost & ForModelsHost & WeightsHost) {
    this.tokens = new TokenStatus(host.call, host.counting);
    this.overBudget = new OverBudget(host);
    this.change = new PromptFileChange(host);
    this.subscriptions = [this.tokens, this.overBudget, this.change, ...promptFileFixes(), ...forModels(host)];
  }

  /** Recounts everything for another backend. */
  again(): void {
    this.tokens.soon();
    this.overBudget.again();
    void this.change.attend();
  }

  dispose(): void {
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }
}
