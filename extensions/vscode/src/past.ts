// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { EarlierSession } from '../api/protocol';
import { belongs } from './folders';
import { fullness } from './fullness';
import { earlierMs, withoutOpening } from './names';

/** Sessions that the daemon has not read, because nobody carries them on: what their list tells of them. */

/** How many are listed. */
const listed = 50;

/** Asks the daemon for them; only it sees what is on the disk. `titles` is false where a person wants none. */
export async function pastSessions(
  call: <T>(method: string, params: object) => Promise<T>,
  titles: boolean,
): Promise<EarlierSession[]> {
  const [only, ...more] = folders();
  const answer = await call<{ sessions: EarlierSession[] }>('ctx/earlier', {
    limit: listed,
    ...(only !== undefined && more.length === 0 ? { workspace: only } : {}),
  }).catch(() => undefined);
  return (answer?.sessions ?? []).map((s) => (titles ? s : { ...withoutOpening(s), title: '' }));
}

/** Whether a session is of these days, and so is listed with its number among those that are read. */
export const isOfToday = ({ modified }: EarlierSession, now: number): boolean => now - modified <= earlierMs;

/** Whether a session was started in a folder that this window shows. */
export const isPastHere = ({ workspace }: EarlierSession): boolean =>
  folders().some((folder) => belongs(workspace, folder));

/** How full the session's window is by the end of its transcript; empty where that is not known. */
export function pastFullness({ glimpse }: EarlierSession): string {
  if (!glimpse) {
    return '';
  }
  return fullness(glimpse, glimpse.part ? '≥' : undefined);
}

/** Whether numbers of sessions of today are left to ask for: the daemon reads some megabytes for an answer. */
export const hasMore = (past: readonly EarlierSession[], now: number): boolean =>
  past.some((p) => isOfToday(p, now) && !p.glimpse);

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath);
}
