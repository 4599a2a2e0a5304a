// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import { Log } from '../log';

/**
 * Returns the log for the language client. This extension itself detects and reports the end of a daemon; later
 * messages of the client are not errors. It may report the end of the process before that of the connection.
 */
export function clientLog(log: vscode.LogOutputChannel, over: () => boolean): vscode.LogOutputChannel {
  return new Log(log, (level, text) =>
    (level === 'error' || level === 'warn') &&
    (over() || /connection|Stopping server|Server process exited/i.test(text))
      ? 'debug'
      : level,
  );
}
