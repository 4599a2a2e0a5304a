// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';

/** Finds the terminal of this window in which a session's agent runs. */
export async function terminalOf(
  session: string,
  sessionOfTerminal: (pid: number) => Promise<string | undefined>,
): Promise<vscode.Terminal | undefined> {
  for (const terminal of vscode.window.terminals) {
    const pid = await terminal.processId;
    const found = pid === undefined ? undefined : await sessionOfTerminal(pid).catch(() => undefined);
    if (found === session) {
      return terminal;
    }
  }
  return undefined;
}

/** The agent's own compaction command, where it has one that can be typed. */
export function compactionCommand(reading: Reading): string | undefined {
  const how = reading.advice.find((a) => a.action === 'compact')?.how ?? knownCommands[reading.agent];
  return how && /^\/[a-z-]+$/.test(how) ? how : undefined;
}

const knownCommands: Record<string, string> = {
  'claude-code': '/compact',
  codex: '/compact',
  opencode: '/compact',
  'gemini-cli': '/compress',
  'qwen-code': '/compress',
};
