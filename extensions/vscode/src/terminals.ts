// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';

/** Which sessions the agent in a terminal may be at work on: one is proof, several are none, and so is no one. */
export type Identify = (terminalPid: number) => Promise<readonly string[]>;

/** A terminal, and the sessions that its agent may be at work on. */
export interface Suspect {
  readonly terminal: vscode.Terminal;
  readonly sessions: readonly string[];
}

/** The terminals of this window in which a session's agent may run. */
export async function suspects(session: string, identify: Identify): Promise<Suspect[]> {
  const found: Suspect[] = [];
  for (const terminal of vscode.window.terminals) {
    const pid = await terminal.processId;
    const sessions = pid === undefined ? [] : await identify(pid).catch(() => []);
    if (sessions.includes(session)) {
      found.push({ terminal, sessions });
    }
  }
  return found;
}

/** The terminal that surely runs a session: it alone may, and it may run no other. */
export function proven(found: readonly Suspect[]): vscode.Terminal | undefined {
  const [only, ...others] = found;
  return only && others.length === 0 && only.sessions.length === 1 ? only.terminal : undefined;
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

/** Why nothing may be typed into a session's agent now; undefined when it waits at its prompt. */
export function hindrance(reading: Reading): 'asks' | 'works' | 'ended' | 'unknown' | undefined {
  switch (true) {
    case reading.activity === 'waiting' && reading.waitingFor === 'approval':
      return 'asks';
    case reading.pending || reading.activity === 'working':
      return 'works';
    case reading.activity === 'ended':
      return 'ended';
    case reading.activity === 'idle' || (reading.activity === 'waiting' && reading.waitingFor === 'prompt'):
      return undefined;
    default:
      return 'unknown';
  }
}
