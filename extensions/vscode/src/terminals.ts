// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { compactCommand } from './agents';

/** What is known of the session that the agent in a terminal is at work on. */
export interface Identity {
  /** The session, where it is proved. */
  readonly proved?: string;
  /** The sessions that it may be where nothing proves one, the likeliest first. */
  readonly candidates: readonly string[];
}
export type Identify = (terminalPid: number) => Promise<Identity>;

/** A terminal in which a session's agent may run. */
export interface Suspect {
  readonly terminal: vscode.Terminal;
  readonly sure: boolean;
  /** Every session that its agent may be at work on. */
  readonly sessions: readonly string[];
}

/** The terminals of this window in which a session's agent may run. */
export async function suspects(session: string, identify: Identify): Promise<Suspect[]> {
  const found: Suspect[] = [];
  for (const terminal of vscode.window.terminals) {
    const pid = await terminal.processId;
    const known = pid === undefined ? undefined : await identify(pid).catch(() => undefined);
    const sure = known?.proved === session;
    if (sure || (known?.proved === undefined && known?.candidates.includes(session))) {
      found.push({ terminal, sure, sessions: sure ? [session] : known.candidates });
    }
  }
  return found;
}

/** The terminal that surely runs a session: the only one of which that is proved. */
export function proven(found: readonly Suspect[]): vscode.Terminal | undefined {
  const [only, ...others] = found.filter((f) => f.sure);
  return others.length === 0 ? only?.terminal : undefined;
}

/** The agent's own compaction command, where it has one that can be typed. */
export function compactionCommand(reading: Reading): string | undefined {
  const how = reading.advice.find((a) => a.action === 'compact')?.how ?? compactCommand(reading.agent);
  return how && /^\/[a-z-]+$/.test(how) ? how : undefined;
}

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
