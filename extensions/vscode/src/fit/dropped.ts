// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** What the Explorer, an editor's tab or another program hands over for files. */
const uriList = 'text/uri-list';

/** Files and folders that are dropped onto a view are asked of: will they fit? */
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

/** The addresses in a list, one a line; a line with # in front is a remark. */
export function urisOf(list: string): vscode.Uri[] {
  return list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line));
}
