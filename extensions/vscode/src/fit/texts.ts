// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** A text that may be added to a session, with a label for the user. */
export interface Part {
  readonly label: string;
  readonly text: string;
}

/** The texts that were read, and the number of files that are not text. */
export interface Gathered {
  readonly parts: Part[];
  readonly skipped: number;
}

/** Lists the files of a folder without those that its repository ignores; undefined if that is unknown. */
export type ListFiles = (folder: string) => Promise<readonly string[] | undefined>;

/** No window has space for more than this. */
const mostBytes = 8 << 20;
const mostFiles = 5000;

/** Reads files and folders. For a file that is open in an editor, the editor's text is used. */
export async function gather(uris: readonly vscode.Uri[], list: ListFiles | undefined): Promise<Gathered> {
  const parts: Part[] = [];
  let skipped = 0;
  let room = mostBytes;
  for (const uri of uris) {
    const { type } = await vscode.workspace.fs.stat(uri);
    const files = (type & vscode.FileType.Directory) === 0 ? [uri] : await filesOf(uri, list);
    for (const file of files) {
      const text = await textOf(file, room);
      if (text === undefined) {
        skipped += 1;
        continue;
      }
      room -= text.length;
      parts.push({ label: vscode.workspace.asRelativePath(file), text });
    }
  }
  return { parts, skipped };
}

async function filesOf(folder: vscode.Uri, list: ListFiles | undefined): Promise<vscode.Uri[]> {
  // In an untrusted repository, Git might run commands from its configuration.
  const listed = folder.scheme === 'file' && vscode.workspace.isTrusted ? await list?.(folder.fsPath) : undefined;
  if (listed) {
    return listed.slice(0, mostFiles).map((name) => vscode.Uri.joinPath(folder, name));
  }
  const found: vscode.Uri[] = [];
  await walk(folder, found);
  return found;
}

/** Adds the files below a folder, without Git's own files and installed packages. */
async function walk(folder: vscode.Uri, found: vscode.Uri[]): Promise<void> {
  for (const [name, type] of await vscode.workspace.fs.readDirectory(folder)) {
    if (found.length >= mostFiles) {
      return;
    }
    const entry = vscode.Uri.joinPath(folder, name);
    if (type === vscode.FileType.Directory && name !== '.git' && name !== 'node_modules') {
      await walk(entry, found);
    } else if (type === vscode.FileType.File) {
      found.push(entry);
    }
  }
}

/** Returns the text of a file; undefined if it is not text or does not exist. */
async function textOf(file: vscode.Uri, room: number): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === file.toString());
  if (open) {
    return open.getText();
  }
  const stat = await vscode.workspace.fs.stat(file).then(
    (s) => s,
    () => undefined,
  );
  if (!stat || (stat.type & vscode.FileType.File) === 0) {
    return undefined;
  }
  if (stat.size > room) {
    throw new Error(vscode.l10n.t('This is more than {0} MB of text, too much for any window.', mostBytes >> 20));
  }
  const bytes = await vscode.workspace.fs.readFile(file);
  return bytes.subarray(0, 8000).includes(0) ? undefined : new TextDecoder().decode(bytes);
}
