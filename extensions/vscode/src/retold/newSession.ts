// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import { agentName, startOf } from '../agents';

/**
 * Types the command that starts a new session of the same agent, with the note as its first prompt, into a new
 * terminal. Nothing runs, because the line ends without Enter. The daemon's program writes the note only when the line
 * runs, so that the note is in no file, and none of its lines can be taken for a command.
 */
export function newSession(reading: Reading, tokens: number, program: string | undefined): void {
  const line = program === undefined ? undefined : startLine(reading, tokens, program, vscode.env.shell);
  if (line !== undefined && vscode.workspace.isTrusted) {
    const cwd = reading.workspace ? { cwd: reading.workspace } : {};
    const terminal = vscode.window.createTerminal({ name: agentName(reading.agent), ...cwd });
    terminal.show(false);
    terminal.sendText(line, false);
  }
}

/** Reports whether the command that starts an agent with a prompt is known. */
export function canStart(agent: string): boolean {
  return startOf(agent) !== undefined;
}

/** Returns the line that starts a session with the note; undefined if a part of it cannot be quoted. */
export function startLine(reading: Reading, tokens: number, program: string, shell: string): string | undefined {
  const start = startOf(reading.agent);
  if (start === undefined || !/^[\w./:-]+$/.test(reading.session) || /["'`$\n]/.test(program)) {
    return undefined;
  }
  const quoted = /^[\w./:\\-]+$/.test(program) && !program.includes('\\') ? program : `'${program}'`;
  const called = /pwsh|powershell/i.test(shell) && quoted.startsWith("'") ? `& ${quoted}` : quoted;
  return `${start} "$(${called} handover ${reading.session} --tokens=${tokens})"`;
}
