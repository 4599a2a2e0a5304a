// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count } from '../../api/ctx-lsp';
import type { Reading } from '../../api/protocol';
import { promptFileSelector } from './selector';

/** What weighing needs from the window. */
export interface WeightsHost {
  call<T>(method: string, params: object): Promise<T>;
  reading(): Reading | undefined;
}

/** No prompt file that is longer is weighed. */
const longest = 1 << 20;

/** Whether a file is one that agents load by themselves, as far as its path tells. */
export function isPromptFile(uri: vscode.Uri): boolean {
  const document = { uri, languageId: 'markdown', fileName: uri.fsPath, isUntitled: false } as vscode.TextDocument;
  return vscode.languages.match(promptFileSelector, document) > 0;
}

/** Whether a prompt file is in every request, and not loaded by its path or when it is asked for. */
export function isAlways(uri: vscode.Uri): boolean {
  return !/\/(skills|rules|agents|commands|prompts|chatmodes|instructions)\/|SKILL\.md$|\.mdc$/i.test(uri.path);
}

/** Counts the tokens of texts by themselves, without what they import; undefined where nobody can. */
export async function weigh(host: WeightsHost, texts: readonly string[]): Promise<readonly number[] | undefined> {
  if (texts.some((t) => t.length > longest)) {
    return undefined;
  }
  const model = host.reading()?.model;
  const counted = await host.call<Count>('ctx/count', { texts, ...(model ? { model } : {}) }).catch(() => undefined);
  return counted?.texts;
}
