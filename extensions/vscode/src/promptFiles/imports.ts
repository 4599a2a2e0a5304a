// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The longest file that is read because another imports it. */
const maxBytes = 1 << 20;

export type Found =
  | { readonly uri: vscode.Uri; readonly text: string }
  | { readonly problem: 'missing' | 'outside' | 'tooLarge' | 'unreadable' };

/**
 * Finds what an import names: beside the file that imports it, else in a folder of the workspace. Nothing outside of the
 * workspace is read.
 */
export async function findImport(target: string, importer: vscode.Uri): Promise<Found> {
  if (target.startsWith('~') || target.startsWith('/') || /^[A-Za-z]:/.test(target)) {
    return { problem: 'outside' };
  }
  const places = [
    vscode.Uri.joinPath(importer, '..', target),
    ...(vscode.workspace.workspaceFolders ?? []).map((f) => vscode.Uri.joinPath(f.uri, target)),
  ];
  let problem: 'missing' | 'outside' = 'outside';
  for (const uri of places) {
    if (!vscode.workspace.getWorkspaceFolder(uri)) {
      continue;
    }
    problem = 'missing';
    const found = await read(uri);
    if (found) {
      return found;
    }
  }
  return { problem };
}

async function read(uri: vscode.Uri): Promise<Found | undefined> {
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (open) {
    return { uri, text: open.getText() };
  }
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) {
      return undefined;
    }
    if (size > maxBytes) {
      return { problem: 'tooLarge' };
    }
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { uri, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) {
      return { problem: 'tooLarge' };
    }
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound'
      ? undefined
      : { problem: 'unreadable' };
  }
}
