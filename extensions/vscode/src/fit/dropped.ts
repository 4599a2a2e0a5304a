// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The format in which the Explorer, an editor's tab or another program passes files. */
const uriList = 'text/uri-list';

/** Runs "Will It Fit?" on files and folders dropped onto a view. */
export function dropped<T>(): vscode.TreeDragAndDropController<T> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [uriList],
    handleDrop: async (_target, transfer) => {
      const uris = urisOf((await transfer.get(uriList)?.asString()) ?? '');
      if (uris.length > 0) {
        await vscode.commands.executeCommand('ctx.fits', uris[0], uris);
      }
    },
  };
}

/** Returns the addresses in a list, one per line; a line that starts with # is a comment. */
export function urisOf(list: string): vscode.Uri[] {
  return list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line));
}
