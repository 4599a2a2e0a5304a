// Copyright The ctx-lsp authors. MIT licence.

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { type CoreFiles, coreFolder } from './core';

/** Reads the module and the vocabularies from the extension's directory on disk. */
export function nodeFiles(extension: vscode.Uri): CoreFiles {
  return { read: (name) => fs.readFile(path.join(extension.fsPath, coreFolder, name)) };
}
