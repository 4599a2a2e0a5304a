// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Environment } from '../activation';
import type { Backend } from '../backend';
import { CannotStart, type Started } from '../supervisor';
import type { Trouble } from '../trouble';
import type { DaemonOptions } from './daemon';
import { candidates } from './locate';
import { probe } from './probe';

/** The part of the extension that holds vscode-languageclient; it is loaded when a daemon was found, not at activation. */
interface DaemonModule {
  Daemon: { start(options: DaemonOptions): Promise<Backend> };
}

/** Finds, checks and starts the daemon. */
export async function startDaemon(context: vscode.ExtensionContext, { config, log }: Environment): Promise<Started> {
  const env = { ...process.env, ...config.server.extraEnv };
  const places = candidates(config.server.path, context.extensionPath, process.env);
  let trouble: Trouble = {
    kind: 'noDaemon',
    sentence:
      'No ctx-lsp program was found: not in the extension, not on the PATH. Install it, or set ctx.server.path. Sessions on this machine cannot be followed without it.',
  };
  for (const place of places) {
    const answer = await probe(place, env);
    if (!answer.ok) {
      log.warn(answer.trouble.sentence);
      trouble = answer.trouble;
      continue;
    }
    const { Daemon } = require('./daemon.js') as DaemonModule;
    const args = ['serve', ...(config.server.engine === 'auto' ? [] : ['--engine', config.server.engine])];
    const backend = await Daemon.start({
      file: place.file,
      args,
      env,
      version: answer.version,
      log,
      initializationOptions: {},
      startTimeoutMs: 10_000,
      callTimeoutMs: 30_000,
    });
    return { backend, where: `${place.file} (from the ${place.from})` };
  }
  throw new CannotStart(trouble, false);
}
