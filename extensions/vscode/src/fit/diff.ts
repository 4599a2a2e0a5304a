// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { type Gathered, gather } from './texts';

/** The part of the editor's own Git extension that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): { diffWithHEAD(path: string): Promise<string> } | null;
  };
}

/** Returns the files that a source control menu was opened on; undefined for any other menu. */
export function changedFiles(args: readonly unknown[]): vscode.Uri[] | undefined {
  const states = args.flatMap((arg) => {
    const group = (arg as { resourceStates?: unknown } | null)?.resourceStates;
    return Array.isArray(group) ? (group as unknown[]) : [arg];
  });
  const uris = states
    .map((state) => (state as { resourceUri?: unknown } | null)?.resourceUri)
    .filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
  const all = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  return all.length > 0 ? all : undefined;
}

/** Returns the uncommitted changes of files as diffs. A file that is new to Git is included whole. */
export async function gatherDiffs(files: readonly vscode.Uri[]): Promise<Gathered> {
  const exported = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
  const git = exported?.enabled ? exported.getAPI(1) : undefined;
  const gathered: Gathered[] = [];
  for (const file of files) {
    const text = await git?.getRepository(file)?.diffWithHEAD(file.fsPath);
    gathered.push(
      text
        ? { parts: [{ label: vscode.workspace.asRelativePath(file), text }], skipped: 0 }
        : await gather([file], undefined),
    );
  }
  return {
    parts: gathered.flatMap(({ parts }) => parts),
    skipped: gathered.reduce((all, { skipped }) => all + skipped, 0),
  };
}
