// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { fullName } from './names';
import { plain } from './statusText';
import { compactionCommand, hindrance, type Identify, proven, type Suspect, suspects } from './terminals';

/** What typing a compaction command needs from the window. */
export interface CompactionHost {
  /** The newest Reading of a session, from the daemon itself. */
  fresh(session: string): Promise<Reading | undefined>;
  readonly identify: Identify;
}

/**
 * Types an agent's compaction command into the terminal in which it runs. What is typed cannot be taken back, so it is
 * typed only into an agent that is surely the one meant and that waits at its prompt, and Enter is left to the person:
 * whether half a sentence stands at that prompt already, nobody else can see.
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
  const found = await suspects(session, host.identify);
  const terminal = proven(found) ?? (await asked(found, reading, host));
  if (terminal === 'refused') {
    return;
  }
  if (!terminal) {
    return refuse(
      vscode.l10n.t(
        'No terminal of this window is known to run {0}. Type {1} where the agent runs.',
        fullName(reading),
        command,
      ),
      command,
    );
  }
  // Time has passed while terminals were looked at and the person was asked.
  const now = await host.fresh(session);
  const late = now ? hindrance(now) : 'unknown';
  if (late) {
    return refuse(refusal(late, reading), command);
  }
  terminal.show(false);
  terminal.sendText(command, false);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('{0} is typed. Press Enter there if nothing else stands at the prompt.', command),
    15_000,
  );
}

/** A terminal in the list. */
type Choice = vscode.QuickPickItem & { readonly terminal: vscode.Terminal };

/**
 * Lets the person say which terminal it is. None is offered in which another session may be asking for a permission.
 */
async function asked(
  found: readonly Suspect[],
  reading: Reading,
  host: CompactionHost,
): Promise<vscode.Terminal | 'refused' | undefined> {
  if (found.length === 0) {
    return undefined;
  }
  const choices: Choice[] = [];
  for (const { terminal, sessions } of found) {
    const all = await Promise.all(sessions.map((s) => host.fresh(s)));
    const why = all
      .map((r) => (r ? hindrance(r) : 'unknown'))
      .find((w) => w === 'asks' || w === 'works' || w === 'unknown');
    if (why) {
      void refuse(
        refusal(why, all.find((r) => r && hindrance(r) === why) ?? reading),
        compactionCommand(reading) ?? '',
      );
      return 'refused';
    }
    choices.push({
      label: `$(terminal) ${vscode.window.terminals.indexOf(terminal) + 1}: ${plain(terminal.name)}`,
      detail: all
        .map((r) => (r ? plain(fullName(r)) : ''))
        .filter(Boolean)
        .join(' · '),
      terminal,
    });
  }
  return (await chosen(choices, vscode.l10n.t('Which terminal runs {0}?', fullName(reading)))) ?? 'refused';
}

/**
 * The terminal that a person chooses. The one that is pointed at is brought to the front, for names are often alike.
 */
function chosen(choices: readonly Choice[], title: string): Promise<vscode.Terminal | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Choice>();
    pick.title = title;
    pick.placeholder = vscode.l10n.t('Several may be the one. The command is typed without Enter.');
    pick.matchOnDetail = true;
    pick.items = choices;
    pick.onDidChangeActive(([choice]) => choice?.terminal.show(true));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.terminal);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function refusal(why: NonNullable<ReturnType<typeof hindrance>>, reading: Reading): string {
  const who = fullName(reading);
  switch (why) {
    case 'asks':
      return vscode.l10n.t('{0} asks for an approval; what is typed now would answer it. Nothing was typed.', who);
    case 'works':
      return vscode.l10n.t('{0} is at work. Nothing was typed; try again when it waits for you.', who);
    case 'ended':
      return vscode.l10n.t('{0} has ended. Nothing was typed.', who);
    case 'unknown':
      return vscode.l10n.t('Whether {0} waits at its prompt is not known. Nothing was typed.', who);
  }
}

/** Says why nothing was typed, and hands the command over for the person to type it. */
async function refuse(sentence: string, command: string): Promise<void> {
  const copy = vscode.l10n.t('Copy {0}', command);
  if ((await vscode.window.showInformationMessage(sentence, copy)) === copy) {
    await vscode.env.clipboard.writeText(command);
  }
}
