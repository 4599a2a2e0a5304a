// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';

/** Reports whether a transcript is a text that an editor can open; some agents use databases or packed files. */
export function canOpen({ file }: Reading): boolean {
  return file !== undefined && /\.(jsonl?|ndjson|txt|md)$/i.test(file);
}

/** Opens a transcript at a line; lines are numbered from one. */
export async function openPlace({ file }: Reading, place: number): Promise<void> {
  const at = new vscode.Position(place - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file ?? ''), {
    preview: true,
    selection: new vscode.Range(at, at),
  });
}
