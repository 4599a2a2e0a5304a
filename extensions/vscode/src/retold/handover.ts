// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { HandoverAnswer } from '../../api/types';
import { agentName } from '../agents';
import type { Pages } from '../pages';
import { exact } from '../words';
import { canStart, newSession } from './newSession';

/** The parts of the window that a handover needs. */
export interface HandoverHost {
  call<T>(method: string, params: object): Promise<T>;
  /** Returns the path of the daemon's program; undefined if there is none. */
  program(): string | undefined;
  readonly pages: Pages;
}

/** The sizes that are offered, in tokens. */
const sizes = [1000, 2000, 4000, 8000];
const usual = 2000;

interface Way extends vscode.QuickPickItem {
  readonly go?: (note: HandoverAnswer) => Promise<void>;
  readonly size?: true;
  readonly type?: true;
}

/**
 * Writes the handover note of a session and asks for its destination: the clipboard, a document, a file, or a new
 * session.
 */
export async function handOver(reading: Reading, host: HandoverHost): Promise<void> {
  let tokens = usual;
  for (;;) {
    const way = await vscode.window.showQuickPick(ways(reading, tokens, host), {
      title: vscode.l10n.t('Handover note of at most {0} tokens', exact(tokens)),
      placeHolder: vscode.l10n.t('It is written from the transcript, without a model, and is not saved.'),
    });
    if (way?.size) {
      tokens = (await pickSize()) ?? tokens;
      continue;
    }
    if (way?.type) {
      newSession(reading, tokens, host.program());
      return;
    }
    if (way?.go) {
      await way.go(await host.call<HandoverAnswer>('ctx/handover', { id: reading.session, tokens }));
    }
    return;
  }
}

function ways(reading: Reading, tokens: number, host: HandoverHost): Way[] {
  const list: Way[] = [
    { label: `$(clippy) ${vscode.l10n.t('Copy')}`, go: copy },
    {
      label: `$(file) ${vscode.l10n.t('Open as a Page')}`,
      go: (note) => host.pages.show(vscode.l10n.t('Handover note'), note.text),
    },
    { label: `$(save) ${vscode.l10n.t('Save in a New File…')}`, go: (note) => save(note, reading) },
  ];
  if (vscode.workspace.isTrusted && canStart(reading.agent) && host.program() !== undefined) {
    list.push({
      label: `$(terminal) ${vscode.l10n.t('Type It into a New {0}', agentName(reading.agent))}`,
      detail: vscode.l10n.t('In a new terminal, without Enter: nothing runs until you press it.'),
      type: true,
    });
  }
  list.push({
    label: `$(symbol-ruler) ${vscode.l10n.t('Another Size…')}`,
    description: vscode.l10n.t('{0} tokens', exact(tokens)),
    size: true,
  });
  return list;
}

async function pickSize(): Promise<number | undefined> {
  const picked = await vscode.window.showQuickPick(
    sizes.map((size) => ({ label: vscode.l10n.t('{0} tokens', exact(size)), size })),
    { title: vscode.l10n.t('Maximum size of the note') },
  );
  return picked?.size;
}

async function copy(note: HandoverAnswer): Promise<void> {
  await vscode.env.clipboard.writeText(note.text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('A note of {0} tokens was copied', exact(note.tokens)), 5000);
}

/** Saves the note in a file that the user chooses. The editor itself asks before overwriting a file. */
async function save(note: HandoverAnswer, reading: Reading): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const where = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the handover note'),
    filters: { Markdown: ['md'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `handover-${reading.session.slice(0, 8)}.md`) } : {}),
  });
  if (where) {
    await vscode.workspace.fs.writeFile(where, new TextEncoder().encode(note.text));
    await vscode.window.showTextDocument(where, { preview: true });
  }
}
