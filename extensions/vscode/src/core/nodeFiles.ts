import * as fs from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { CoreFiles } from './start';
import { coreFolder } from './start';

/** Reads the module and the vocabularies from the extension's folder on disk. */
export function nodeFiles(extension: vscode.Uri): CoreFiles {
  return {
    read: async (name) => fs.readFile(`${extension.fsPath}/${coreFolder}/${name}`),
    where: 'the extension (WebAssembly)',
  };
}
