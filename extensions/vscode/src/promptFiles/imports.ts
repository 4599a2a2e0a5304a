// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { isInside } from '../folders';

/** The size of the largest file that can be imported. */
const maxBytes = 1 << 20;

/** Resolves all links of a path, if the file system supports that. */
export type RealPath = (file: string) => Promise<string>;

export type Found =
  | { readonly uri: vscode.Uri; readonly text: string }
  | { readonly problem: 'missing' | 'outside' | 'tooLarge' | 'unreadable' };

/**
 * Finds the file that an import names: next to the importing file, or in a folder of the workspace. Nothing outside of
 * the workspace is read, wherever a link on disk leads.
 */
export async function findImport(target: string, importer: vscode.Uri, realPath?: RealPath): Promise<Found> {
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
    const within = await staysInside(uri, realPath);
    if (within === false) {
      problem = 'outside';
      continue;
    }
    const found = within === undefined ? undefined : await read(uri);
    if (found) {
      return found;
    }
  }
  return { problem };
}

/**
 * Reports whether a file is inside the workspace after all links in its path are resolved; undefined if there is no
 * such file. If links cannot be resolved, a path with a link is treated as outside.
 */
async function staysInside(uri: vscode.Uri, realPath?: RealPath): Promise<boolean | undefined> {
  if (uri.scheme === 'file' && realPath) {
    try {
      const real = await realPath(uri.fsPath);
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        if (folder.uri.scheme === 'file' && isInside(real, await realPath(folder.uri.fsPath))) {
          return true;
        }
      }
      return false;
    } catch {
      return undefined;
    }
  }
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  for (let at = uri; root && at.path.length > root.path.length; at = vscode.Uri.joinPath(at, '..')) {
    try {
      if (((await vscode.workspace.fs.stat(at)).type & vscode.FileType.SymbolicLink) !== 0) {
        return false;
      }
    } catch {
      return undefined;
    }
  }
  return true;
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
