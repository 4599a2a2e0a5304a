// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../api/protocol';
import type { Panel } from '../api/types';
import { type Absence, ways, wayTitle } from './absence';
import { typeCompaction } from './compaction';
import type { ShownSection } from './panel/messages';
import { shownPanel } from './panel/rows';
import { handover, numbers } from './summary';
import { compactionCommand, type Held } from './terminals';

/** The parts of the window that actions on a session need. */
export interface ActionsHost {
  call<T>(method: string, params: object): Promise<T>;
  /** Returns the newest Reading of a session, in a form that may be shown; undefined if the session is unknown. */
  known(session: string): Reading | undefined;
  named(reading: Reading): Reading;
  showPanel(session: string): void;
}

/** The user's actions on a session, offered by commands, links and buttons. */
export class Actions {
  constructor(private readonly host: ActionsHost) {}

  readonly showPanel = (session: string): void => this.host.showPanel(session);

  readonly copyNumbers = async (reading: Reading): Promise<void> => {
    await vscode.env.clipboard.writeText(numbers(await this.panel(reading)));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Numbers copied'), 3000);
  };

  readonly copyHandover = async (reading: Reading): Promise<void> => {
    const items = await this.host
      .call<Items>('ctx/session/items', { id: reading.session, top: 12 })
      .catch(() => undefined);
    await vscode.env.clipboard.writeText(handover(reading, items, await this.panel(reading)));
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('Copied: name, folder, branch, transcript, largest items and numbers'),
      5000,
    );
  };

  private async panel({ session }: Reading): Promise<ShownSection[]> {
    const params = { id: session, panel: true };
    const { panel } = await this.host.call<{ panel: Panel }>('ctx/session/reading', params);
    return shownPanel(panel, Date.now());
  }

  readonly openTranscript = async (reading: Reading): Promise<void> => {
    if (reading.file) {
      await vscode.window.showTextDocument(vscode.Uri.file(reading.file), { preview: true });
    }
  };

  readonly canRunCompaction = (reading: Reading): boolean =>
    vscode.workspace.isTrusted &&
    compactionCommand(reading) !== undefined &&
    reading.file !== undefined &&
    vscode.window.terminals.length > 0;

  readonly runCompaction = (reading: Reading): Promise<void> =>
    typeCompaction(reading.session, {
      fresh: async (session) => {
        const newest = await this.host.call<Reading>('ctx/session/reading', { id: session }).catch(() => undefined);
        return newest && this.host.named({ ...this.host.known(session), ...newest });
      },
      holdings: async (pids) => (await this.host.call<{ terminals: Held[] }>('ctx/terminals', { pids })).terminals,
    });
}

/** Shows why there is no session, and offers what the user can do about it. */
export async function showAbsence({ sentence, ways: all }: Absence): Promise<void> {
  const titles = all.map(wayTitle);
  const choice = await vscode.window.showInformationMessage(sentence, ...titles);
  const way = choice === undefined ? undefined : all[titles.indexOf(choice)];
  if (way) {
    await vscode.commands.executeCommand(ways[way]);
  }
}
