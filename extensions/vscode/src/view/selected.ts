// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';

/** How often, and for how long, the selected row is looked up. */
const everyMs = 50;
const longestMs = 3000;

/**
 * Returns the row of a tree that the user has clicked. While a tree is redrawn, the editor knows which row is selected
 * but not its node, and reports no selection; waiting ensures that a click in such a moment is not lost. Returns
 * undefined if nothing is selected in time.
 */
export async function selectedLine<T>(tree: Pick<vscode.TreeView<T>, 'selection'>): Promise<T | undefined> {
  for (let waited = 0; tree.selection.length === 0 && waited < longestMs; waited += everyMs) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return tree.selection[0];
}
