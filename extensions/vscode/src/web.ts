// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { activateOn } from './activation';
import { startCore } from './core/start';
import { webFiles } from './core/webFiles';
import { stopwatch } from './stopwatch';

/**
 * The entry point if the extension host is a web worker. It cannot start processes, so the core runs inside the
 * extension.
 */
export function activate(context: vscode.ExtensionContext): CtxApi {
  return activateOn(context, { core: (environment) => startCore(webFiles(context.extensionUri), environment) });
}

stopwatch.stop();
