// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count } from '../../api/ctx-lsp';
import type { Reading } from '../../api/protocol';
import { readPromptFileConfig } from '../config';
import { promptFileSelector } from './selector';

/** The model whose tokenizer is used, and the window for shares. */
export type Counting = Pick<Reading, 'model' | 'limit'>;

/** What weighing needs from the window. */
export interface WeightsHost {
  call<T>(method: string, params: object): Promise<T>;
  /** Those of the shown session. */
  counting(): Counting | undefined;
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

/** The model of a file: the one of the setting, otherwise that of the shown session. */
export function modelFor(uri: vscode.Uri, counting: Counting | undefined): string | undefined {
  return (isPromptFile(uri) && readPromptFileConfig(uri).model) || counting?.model || undefined;
}

/** Counts texts of a prompt file, without what they import; undefined if that is not possible. */
export async function weigh(
  host: WeightsHost,
  uri: vscode.Uri,
  texts: readonly string[],
): Promise<readonly number[] | undefined> {
  if (texts.some((t) => t.length > longest)) {
    return undefined;
  }
  const model = modelFor(uri, host.counting());
  const counted = await host.call<Count>('ctx/count', { texts, ...(model ? { model } : {}) }).catch(() => undefined);
  return counted?.texts;
}
