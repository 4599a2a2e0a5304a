// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { CallError } from './backend';
import type { Config } from './config';
import { belongs } from './folders';
import { lookOf } from './statusText';
import { statusWords } from './words';

/** What a window needs to have sessions followed. */
export interface FollowingHost {
  call<T>(method: string, params: object): Promise<T>;
  config(): Config;
  log: vscode.LogOutputChannel;
}

/** The answer of `ctx/watch`. The engine without a daemon follows nothing, and knows no folders. */
interface Watched {
  readonly sessions: readonly Reading[];
  readonly roots?: readonly string[];
  readonly searching?: boolean;
}

/** Which sessions are followed for this window, and which of them belong to its folders. */
export class Following {
  /** Whether sessions of other workspaces are followed too, because a person asked for them. */
  wide = false;
  /** Whether the daemon is still searching for sessions. */
  searching = false;
  /** A sentence that says what is wrong with the person's own template. */
  refusedLines: string | undefined;
  /** The repositories of the folders, as the daemon tells them. It has one rule for every face. */
  private roots: readonly string[] | undefined;

  constructor(private readonly host: FollowingHost) {}

  /**
   * Asks the daemon to follow the sessions of this window's folder, or those of the machine where there are several
   * folders or none.
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
        this.host.log.error(`The sessions of ${only ?? 'this machine'} cannot be followed: ${failure.message}`);
      } // otherwise the supervisor reports it, and the next daemon is asked again
      return [];
    }
  }

  /** Whether a session belongs to what this window shows. */
  isHere(reading: Reading): boolean {
    const shown = this.roots ?? (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
    return shown.some((folder) => belongs(reading.workspace, folder));
  }

  private get folders(): string[] {
    return (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath);
  }

  /** Asks for Readings as the settings want them; if these are refused, as the defaults are. */
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
 * Says why a template is ignored. The calculator was sent another form of it, and more fields than a user has: the
 * sentence has the template as it was typed, and no field that only the extension's own templates use.
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
