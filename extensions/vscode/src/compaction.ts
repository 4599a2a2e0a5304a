// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { fullName } from './names';
import { plain } from './statusText';
import {
  compactionCommand,
  type Hindrance,
  type Holdings,
  hindrance,
  proven,
  type Suspect,
  suspects,
} from './terminals';

/** The parts of the window that are needed to type a compaction command. */
export interface CompactionHost {
  /** Returns the newest Reading of a session, requested from the daemon itself; undefined if there is none. */
  fresh(session: string): Promise<Reading | undefined>;
  readonly holdings: Holdings;
}

/**
 * Types an agent's compaction command into the terminal that runs the agent. Typed text cannot be taken back, so it is
 * typed only into the right agent, and only while that waits at its prompt. Pressing Enter is left to the user, because
 * only the user can see whether there is already text at the prompt.
 */
export async function typeCompaction(session: string, host: CompactionHost): Promise<void> {
  const reading = await host.fresh(session);
  const command = reading && compactionCommand(reading);
  if (!reading || !command || !vscode.workspace.isTrusted) {
    return;
  }
  const why = hindrance(reading);
  if (why) {
    return refuse(refusal(why, reading), command);
  }
  const found = await suspects(session, host.holdings).catch(() => []);
  if (found.length === 0) {
    return refuse(
      vscode.l10n.t(
        "{0} was not found in a terminal of this window. Type {1} in the agent's own terminal.",
        fullName(reading),
        command,
      ),
      command,
    );
  }
  const blocked = await blockedBy(found, host);
  if (blocked) {
    return refuse(refusal(blocked.why, blocked.reading ?? reading), command);
  }
  const suspect = proven(found) ?? (await chosen(await choices(found, host), fullName(reading)));
  if (!suspect) {
    return;
  }
  // Time has passed while the terminals were checked and the user was asked.
  const late = await blockedBy(
    (await suspects(session, host.holdings)).filter((f) => f.terminal === suspect.terminal),
    host,
  );
  if (late) {
    return refuse(refusal(late.why, late.reading ?? reading), command);
  }
  const { terminal } = suspect;
  terminal.show(false);
  terminal.sendText(command, false);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('{0} was typed. Press Enter there if nothing else is at the prompt.', command),
    15_000,
  );
}

/**
 * Returns why nothing may be typed into one of these terminals: its agent, or any agent that it may be instead, is
 * working or asks for permission. For a terminal that is proven to be the right one, only its own agent matters.
 * Returns undefined if typing is allowed.
 */
async function blockedBy(
  found: readonly Suspect[],
  host: CompactionHost,
): Promise<{ why: Hindrance; reading: Reading | undefined } | undefined> {
  const sure = proven(found);
  for (const { sessions, status } of sure ? [sure] : found) {
    for (const session of sessions) {
      const reading = await host.fresh(session);
      const why = hindrance(reading, status);
      if (why) {
        return { why, reading };
      }
    }
  }
  return undefined;
}

/** A terminal in the list. */
type Choice = vscode.QuickPickItem & { readonly suspect: Suspect };

/** Returns the terminals to choose from, each with the sessions that it may run. */
async function choices(found: readonly Suspect[], host: CompactionHost): Promise<Choice[]> {
  const list: Choice[] = [];
  for (const suspect of found) {
    const names: string[] = [];
    for (const session of suspect.sessions) {
      const reading = await host.fresh(session);
      names.push(reading ? plain(fullName(reading)) : session);
    }
    const { terminal } = suspect;
    list.push({
      label: `$(terminal) ${vscode.window.terminals.indexOf(terminal) + 1}: ${plain(terminal.name)}`,
      detail: names.join(' · '),
      suspect,
    });
  }
  return list;
}

/** Lets the user choose the terminal. The selected terminal is brought to the front, because names are often alike. */
function chosen(list: readonly Choice[], who: string): Promise<Suspect | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Choice>();
    pick.title = vscode.l10n.t('Which terminal runs {0}?', who);
    pick.placeholder = vscode.l10n.t('Several terminals may run it. The command is typed without Enter.');
    pick.matchOnDetail = true;
    pick.items = list;
    pick.onDidChangeActive(([choice]) => choice?.suspect.terminal.show(true));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.suspect);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function refusal(why: Hindrance, reading: Reading): string {
  const who = fullName(reading);
  switch (why) {
    case 'asks':
      return vscode.l10n.t('{0} is asking for an approval, and typing now would answer it. Nothing was typed.', who);
    case 'works':
      return vscode.l10n.t('{0} is working. Nothing was typed; try again when it waits for you.', who);
    case 'ended':
      return vscode.l10n.t('{0} has ended. Nothing was typed.', who);
    case 'unknown':
      return vscode.l10n.t('{0} may not be waiting at its prompt. Nothing was typed.', who);
  }
}

/** Shows why nothing was typed, and offers to copy the command. */
async function refuse(sentence: string, command: string): Promise<void> {
  const copy = vscode.l10n.t('Copy {0}', command);
  if ((await vscode.window.showInformationMessage(sentence, copy)) === copy) {
    await vscode.env.clipboard.writeText(command);
  }
}
