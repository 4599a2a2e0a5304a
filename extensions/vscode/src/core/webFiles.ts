// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { type CoreFiles, coreFolder } from './core';

/** Reads the module and the vocabularies from the location that the editor serves the extension from. */
export function webFiles(extension: vscode.Uri): CoreFiles {
  return { read: async (name) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, coreFolder, name)) };
}
