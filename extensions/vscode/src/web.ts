// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { CtxApi } from '../api/ctx-lsp';
import { activateOn } from './activation';
import { startCore } from './core/start';
import { webFiles } from './core/webFiles';
import { stopwatch } from './stopwatch';

/** The entry where the extension host is a web worker. No process can be started there, so the core runs inside. */
export function activate(context: vscode.ExtensionContext): CtxApi {
  return activateOn(context, { core: (environment) => startCore(webFiles(context.extensionUri), environment) });
}

stopwatch.stop();
