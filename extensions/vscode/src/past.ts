// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { EarlierSession } from '../api/protocol';
import { belongs } from './folders';
import { fullness } from './fullness';
import { earlierMs, withoutOpening } from './names';

/** Sessions that the daemon has not read because they are inactive, with the data from its list of them. */

/** How many are listed. */
const listed = 50;

/**
 * Requests these sessions from the daemon, because only it can read the disk. `titles` is false if the user wants to
 * hide them.
 */
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

/** Reports whether a session is recent enough to be listed with its number among the ones that are read. */
export const isOfToday = ({ modified }: EarlierSession, now: number): boolean => now - modified <= earlierMs;

/** Reports whether a session was started in one of this window's folders. */
export const isPastHere = ({ workspace }: EarlierSession): boolean =>
  folders().some((folder) => belongs(workspace, folder));

/** Returns how full the session's window is, from the end of its transcript; empty if unknown. */
export function pastFullness({ glimpse }: EarlierSession): string {
  if (!glimpse) {
    return '';
  }
  return fullness(glimpse, glimpse.part ? '≥' : undefined);
}

/** Reports whether numbers of recent sessions are still missing: the daemon reads only some megabytes per request. */
export const hasMore = (past: readonly EarlierSession[], now: number): boolean =>
  past.some((p) => isOfToday(p, now) && !p.glimpse);

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath);
}
