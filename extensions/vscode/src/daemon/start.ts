// Copyright The ctx-lsp authors. MIT licence.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Backend, CallError } from '../backend';
import type { Config } from '../config';
import { asPhrases } from '../phrases';
import type { Environment } from '../platform';
import { CannotStart, type Started } from '../supervisor';
import type { Trouble } from '../trouble';
import type { Daemon, DaemonOptions, StartOptions } from './daemon';
import { candidates } from './locate';
import { probe } from './probe';

/** Finds, checks and starts the daemon; throws {@link CannotStart} if there is none. */
export async function startDaemon(context: vscode.ExtensionContext, { config, log }: Environment): Promise<Started> {
  const env = { ...process.env, ...config.server.extraEnv };
  const places = candidates(config.server.path, context.extensionPath, process.env);
  let trouble: Trouble = {
    kind: 'noDaemon',
    sentence: vscode.l10n.t(
      'The ctx-lsp program was found neither in this extension package nor on the PATH nor in the Go bin directory; the setting ctx.server.path can name it. Without it, sessions of agents cannot be followed; prompt files are still counted.',
    ),
  };
  for (const place of places) {
    const answer = await probe(place, env);
    if (!answer.ok) {
      log.warn(answer.trouble.sentence);
      trouble = answer.trouble;
      continue;
    }
    // It contains vscode-languageclient, which is loaded only when there is a daemon.
    const { Daemon } = await import('./daemon');
    const options = {
      file: place.file,
      env,
      version: answer.version,
      log,
      initializationOptions: startOptions(context),
      startTimeoutMs: 10_000,
      callTimeoutMs: 30_000,
    };
    const backend = await startShared(Daemon, options, config, log);
    return { backend, where: `${place.file} (from the ${place.from})` };
  }
  throw new CannotStart(trouble, false);
}

/**
 * Connects to the daemon that all windows of this user share, or starts it. A window gets its own daemon if a shared
 * one is impossible, or if it has an engine or environment variables of its own.
 */
async function startShared(
  daemon: typeof Daemon,
  options: Omit<DaemonOptions, 'args'>,
  { agents, server }: Config,
  log: vscode.LogOutputChannel,
): Promise<Backend> {
  const flags = server.engine === 'auto' ? [] : ['--engine', server.engine];
  const read = agents.includes('all') ? [] : [`--agents=${agents.join(',') || 'none'}`];
  if (flags.length === 0 && Object.keys(server.extraEnv).length === 0) {
    try {
      return await daemon.start({ ...options, args: ['serve', '--shared', ...read] });
    } catch (error) {
      if (CallError.from(error).kind === 'silent') {
        throw error;
      }
      log.info(`The daemon of all windows cannot be joined (${CallError.from(error).message}); this one gets its own.`);
    }
  }
  return daemon.start({ ...options, args: ['serve', ...read, ...flags] });
}

/** Returns the options about this editor that are sent to the daemon at the start. */
function startOptions(context: vscode.ExtensionContext): StartOptions {
  return { globalStorage: [path.dirname(context.globalStorageUri.fsPath)], promptFiles: { phrases: asPhrases() } };
}
