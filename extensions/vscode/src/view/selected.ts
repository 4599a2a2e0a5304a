// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';

/** How often, and for how long, a line is looked for. */
const everyMs = 50;
const longestMs = 3000;

/**
 * The line of a tree on which a person has clicked. While a tree is drawn again, the editor knows which line is
 * selected but not what it stands for, and says that nothing is selected: a click in such a moment is not lost.
 */
export async function selectedLine<T>(tree: Pick<vscode.TreeView<T>, 'selection'>): Promise<T | undefined> {
  for (let waited = 0; tree.selection.length === 0 && waited < longestMs; waited += everyMs) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return tree.selection[0];
}
