// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { FitsAnswer } from '../../api/types';
import { CallError } from '../backend';
import { fullName } from '../names';
import { asPhrases, inWords } from '../phrases';
import { exact, mark } from '../words';
import { changedFiles, gatherDiffs } from './diff';
import { type Gathered, gather, type ListFiles } from './texts';

/** The parts of the window that "Will It Fit?" needs. */
export interface FitsHost {
  call<T>(method: string, params: object): Promise<T>;
  reading(): Reading | undefined;
  /** Shows that there is no session. */
  showAbsence(): Promise<void>;
  readonly listFiles?: ListFiles | undefined;
}

/** How many of the files are listed. */
const listed = 200;

/**
 * Runs "Will It Fit?" for the files or changes that a menu was opened on, otherwise for the selection or the active
 * file: shows the size of the next request with it, and what has to be left out.
 */
export async function willItFit(host: FitsHost, ...args: readonly unknown[]): Promise<void> {
  const reading = host.reading();
  if (!reading) {
    await host.showAbsence();
    return;
  }
  try {
    const changed = changedFiles(args);
    const texts = changed ? await gatherDiffs(changed) : await meant(host, args[0], args[1]);
    if (!texts) {
      vscode.window.showInformationMessage(vscode.l10n.t('Select text or open a file, then try again.'));
      return;
    }
    if (texts.parts.length === 0) {
      vscode.window.showInformationMessage(vscode.l10n.t('It contains no text.'));
      return;
    }
    const answer = await host.call<FitsAnswer>('ctx/session/fits', {
      id: reading.session,
      parts: texts.parts,
      phrases: asPhrases(),
    });
    await show(reading, { ...answer, text: inWords(answer.phrase, answer.text) }, texts);
  } catch (error) {
    vscode.window.showErrorMessage(CallError.from(error).message);
  }
}

/**
 * Returns the texts to check: the selection for an editor's own menu, the entries for the Explorer's; undefined if
 * there is neither a file nor an editor.
 */
function meant(host: FitsHost, at: unknown, all: unknown): Promise<Gathered> | Gathered | undefined {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.selections.filter((s) => !s.isEmpty).map((s) => editor.document.getText(s)) ?? [];
  const several = Array.isArray(all) ? all.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri) : [];
  const inEditor =
    at instanceof vscode.Uri && several.length === 0 && at.toString() === editor?.document.uri.toString();
  if (at instanceof vscode.Uri && !(inEditor && selected.length > 0)) {
    return gather(several.length > 0 ? several : [at], host.listFiles);
  }
  if (!editor) {
    return undefined;
  }
  const label = vscode.workspace.asRelativePath(editor.document.uri);
  return {
    parts: [{ label, text: selected.length > 0 ? selected.join('\n') : editor.document.getText() }],
    skipped: 0,
  };
}

async function show(reading: Reading, answer: FitsAnswer, { parts, skipped }: Gathered): Promise<void> {
  const notText =
    skipped === 0
      ? ''
      : skipped === 1
        ? vscode.l10n.t('1 file that is not text is not counted.')
        : vscode.l10n.t('{0} files that are not text are not counted.', exact(skipped));
  if (parts.length === 1) {
    // Editors show a message in full only if it has a button, and cut others to one line.
    const more = vscode.l10n.t('What Fills It');
    const text = [`${fullName(reading)}: ${answer.text}.`, notText].filter(Boolean).join(' ');
    if ((await vscode.window.showInformationMessage(text, more)) === more) {
      await vscode.commands.executeCommand('ctx.showPanel');
    }
    return;
  }
  const picked = await vscode.window.showQuickPick(
    answer.parts.slice(0, listed).map((part) => ({
      label: `${part.leftOut ? '$(circle-slash) ' : ''}${part.label}`,
      description: `${mark(part.basis)}${exact(part.tokens)}${part.leftOut ? ` · ${vscode.l10n.t('leave it out')}` : ''}`,
      name: part.label,
    })),
    {
      title: answer.text,
      placeHolder: [fullName(reading), notText].filter(Boolean).join(' · '),
      matchOnDescription: true,
    },
  );
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (picked && folder) {
    const file = picked.name.startsWith('/') ? vscode.Uri.file(picked.name) : vscode.Uri.joinPath(folder, picked.name);
    await vscode.window.showTextDocument(file, { preview: true });
  }
}
