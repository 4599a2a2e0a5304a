// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { type Config, readConfig } from './config';
import type { ListFiles } from './fit/texts';
import { Log } from './log';
import { learnPhrases } from './phrases';
import { stopwatch } from './stopwatch';
import { type Started, Supervisor } from './supervisor';
import { Window } from './window';

/** What a starter is given when it starts a backend. */
export interface Environment {
  readonly config: Config;
  readonly log: vscode.LogOutputChannel;
  /** The version of this extension. */
  readonly version: string;
}

/** The differences between the desktop and the web. */
export interface Platform {
  readonly daemon?: (environment: Environment) => Promise<Started>;
  readonly core: (environment: Environment) => Promise<Started>;
  /** The platform, as packages of this extension are named. */
  readonly target?: string;
  /** Lists the files of a folder without those that its repository ignores. */
  readonly listFiles?: ListFiles;
  /** Follows every link of a path, where the file system allows it. */
  readonly realPath?: (file: string) => Promise<string>;
}

/** Builds the extension. Nothing here waits, because the daemon is found and started after activation. */
export function activateOn(context: vscode.ExtensionContext, platform: Platform): CtxApi {
  stopwatch.start();
  const log = new Log(vscode.window.createOutputChannel('Ctx', { log: true }));
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const environment = (): Environment => ({ config: readConfig(), log, version });
  const { daemon } = platform;
  const supervisor = new Supervisor(
    {
      daemon: () => {
        const started = environment();
        return started.config.server.enabled && daemon ? learnPhrases().then(() => daemon(started)) : undefined;
      },
      core: () => learnPhrases().then(() => platform.core(environment())),
    },
    log,
  );
  const window = new Window(context, supervisor, log, platform, () => log.recent);
  context.subscriptions.push(log, supervisor, window);
  supervisor.start();
  stopwatch.stop();
  log.info(`ctx-lsp ${version} activated in ${stopwatch}.`);
  return window.exports;
}
