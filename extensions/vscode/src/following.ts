// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { CallError } from './backend';
import type { Config } from './config';
import { belongs } from './folders';
import { lookOf } from './statusText';
import { statusWords } from './words';

/** The parts of the window that are needed to follow sessions. */
export interface FollowingHost {
  call<T>(method: string, params: object): Promise<T>;
  config(): Config;
  log: vscode.LogOutputChannel;
}

/** The result of `ctx/watch`. Without a daemon, no sessions are followed and no folders are known. */
interface Watched {
  readonly sessions: readonly Reading[];
  readonly roots?: readonly string[];
  readonly searching?: boolean;
}

/** The sessions that are followed for this window, and which of them belong to its folders. */
export class Following {
  /** Whether sessions of other workspaces are followed too, at the user's request. */
  wide = false;
  /** Whether the daemon is still searching for sessions. It is until its first answer. */
  searching = true;
  /** An error message about the user's own template; undefined if it is valid. */
  refusedLines: string | undefined;
  /** The repositories of the folders, as the daemon reports them; its rule is the same for all front ends. */
  private roots: readonly string[] | undefined;

  constructor(private readonly host: FollowingHost) {}

  /**
   * Follows the sessions of this window's folder, or those of the machine if there are several folders or none. Returns
   * the sessions known now.
   */
  async begin(): Promise<readonly Reading[]> {
    const folders = this.folders;
    const only = folders.length === 1 && !this.wide ? folders[0] : undefined;
    try {
      const { sessions, roots, searching } = await this.watch({
        folders,
        ...(only === undefined ? {} : { workspace: only }),
      });
      this.roots = roots;
      this.searching = searching === true;
      return sessions;
    } catch (error) {
      const failure = CallError.from(error);
      if (failure.kind !== 'stopped') {
        this.searching = false;
        this.host.log.error(`The sessions of ${only ?? 'this machine'} cannot be followed: ${failure.message}`);
      } // otherwise the supervisor reports it, and the request is sent to the next daemon
      return [];
    }
  }

  /** Reports whether a session belongs to this window's folders. */
  isHere(reading: Reading): boolean {
    const shown = this.roots ?? (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
    return shown.some((folder) => belongs(reading.workspace, folder));
  }

  private get folders(): string[] {
    return (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath);
  }

  /** Requests Readings with the look that the settings ask for; if that is refused, with the default look. */
  private async watch(what: object): Promise<Watched> {
    const config = this.host.config();
    this.refusedLines = undefined;
    try {
      return await this.host.call('ctx/watch', { ...what, openings: config.titles, ...lookOf(config) });
    } catch (error) {
      const failure = CallError.from(error);
      if (failure.kind !== 'invalid_params' || config.statusItem.format !== 'custom') {
        throw failure;
      }
      this.refusedLines = refused(config.statusItem.template, failure.message);
      this.host.log.warn(this.refusedLines);
      const usual = { ...config, statusItem: { ...config.statusItem, format: 'usedAndLeft' as const } };
      return this.host.call('ctx/watch', { ...what, openings: config.titles, ...lookOf(usual) });
    }
  }
}

/**
 * Returns an error message for an invalid template. The backend received an extended form of it, with more fields than
 * the user has: the message contains the template as typed, without fields that only the extension's own templates use.
 */
export function refused(template: string, message: string): string {
  const [, reason = message] = /" (has (?:a|the) .*)$/s.exec(message) ?? [];
  const [what = '', fields] = reason.split('; expected one of ');
  const own = Object.keys(statusWords());
  const known = fields
    ?.replace(/\.$/, '')
    .split(', ')
    .filter((field) => !own.includes(field));
  const end = known === undefined ? '' : `; expected one of ${known.join(', ')}.`;
  return vscode.l10n.t('The setting ctx.statusItem.template is ignored. {0}', `“${template}” ${what}${end}`);
}
