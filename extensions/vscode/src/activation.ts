// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { readConfig } from './config';
import { Log } from './log';
import { learnPhrases } from './phrases';
import type { Environment, Platform } from './platform';
import { stopwatch } from './stopwatch';
import { Supervisor } from './supervisor';
import { Window } from './window';

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
