// Copyright The ctx-lsp authors. MIT licence.

import { realpath as realPath } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { activateOn } from './activation';
import { nodeFiles } from './core/nodeFiles';
import { startCore } from './core/start';
import { startDaemon } from './daemon/start';
import { gitFiles } from './fit/gitFiles';
import { stopwatch } from './stopwatch';

/** The entry where the extension host is Node: on the desktop and on remote machines. */
export function activate(context: vscode.ExtensionContext): CtxApi {
  return activateOn(context, {
    daemon: (environment) => startDaemon(context, environment),
    core: (environment) => startCore(nodeFiles(context.extensionUri), environment),
    target: `${process.platform}-${process.arch}`,
    realPath,
    listFiles: gitFiles,
  });
}

stopwatch.stop();
