// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Count } from '../../api/ctx-lsp';
import type { Reading } from '../../api/protocol';
import { readPromptFileConfig } from '../config';
import { promptFileSelector } from './selector';

/** The model whose tokenizer is used, and the window for shares. */
export type Counting = Pick<Reading, 'model' | 'limit'>;

/** The parts of the window that counting needs. */
export interface WeightsHost {
  call<T>(method: string, params: object): Promise<T>;
  /** Returns those of the shown session; undefined if there is none. */
  counting(): Counting | undefined;
}

/** Longer prompt files are not counted. */
const longest = 1 << 20;

/** Reports whether agents load a file automatically, judging by its path. */
export function isPromptFile(uri: vscode.Uri): boolean {
  const document = { uri, languageId: 'markdown', fileName: uri.fsPath, isUntitled: false } as vscode.TextDocument;
  return vscode.languages.match(promptFileSelector, document) > 0;
}

/** Reports whether a prompt file is in every request, as opposed to being loaded by path or on demand. */
export function isAlways(uri: vscode.Uri): boolean {
  return !/\/(skills|rules|agents|commands|prompts|chatmodes|instructions)\/|SKILL\.md$|\.mdc$/i.test(uri.path);
}

/**
 * Returns the model for a file: the one in the setting, otherwise that of the shown session; undefined if there is
 * neither.
 */
export function modelFor(uri: vscode.Uri, counting: Counting | undefined): string | undefined {
  return (isPromptFile(uri) && readPromptFileConfig(uri).model) || counting?.model || undefined;
}

/** Counts texts of a prompt file without their imports; undefined if that is not possible. */
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
