// Copyright The ctx-lsp authors. MIT licence.

import { realpath as realPath } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { activateOn } from './activation';
import { stopwatch } from './stopwatch';

/** The entry point if the extension host is Node: on the desktop and on remote machines. */
export function activate(context: vscode.ExtensionContext): CtxApi {
  return activateOn(context, {
    daemon: async (environment) => (await import('./daemon/start')).startDaemon(context, environment),
    core: async (environment) => (await import('./core/onNode')).startOnNode(context.extensionUri, environment),
    target: `${process.platform}-${process.arch}`,
    realPath,
    listFiles: async (folder) => (await import('./fit/gitFiles')).gitFiles(folder),
  });
}

stopwatch.stop();
