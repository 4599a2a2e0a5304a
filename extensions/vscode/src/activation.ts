// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { type Config, readConfig } from './config';
import { stopwatch } from './stopwatch';
import { Supervisor, type Started } from './supervisor';
import { Window } from './window';

/** What a starter gets to know when it starts a backend. */
export interface Environment {
  readonly config: Config;
  readonly log: vscode.LogOutputChannel;
  /** The version of this extension. */
  readonly version: string;
}

/** What differs between the desktop and the web. */
export interface Platform {
  readonly daemon?: (environment: Environment) => Promise<Started>;
  readonly core: (environment: Environment) => Promise<Started>;
}

/** Builds the extension. Nothing here waits: finding and starting the daemon happens after activation. */
export function activateOn(context: vscode.ExtensionContext, platform: Platform): CtxApi {
  stopwatch.start();
  const log = vscode.window.createOutputChannel('Ctx', { log: true });
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const environment = (): Environment => ({ config: readConfig(), log, version });
  const { daemon } = platform;
  const supervisor = new Supervisor(
    { ...(daemon ? { daemon: () => daemon(environment()) } : {}), core: () => platform.core(environment()) },
    log,
  );
  const window = new Window(context, supervisor, log);
  context.subscriptions.push(log, supervisor, window);
  supervisor.start();
  stopwatch.stop();
  log.info(`ctx-lsp ${version} activated in ${stopwatch}.`);
  return window.exports;
}
