// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { compactCommand } from './agents';

/** What the daemon knows of the agent that a person sees in a terminal. */
export interface Held {
  readonly pid: number;
  /** The session of the agent; null where it is not certain. */
  readonly session: string | null;
  /** How the session is known: `start` is concluded from times, the others are traces of the agent itself. */
  readonly proof: string;
  /** The agent's own word for what it does. */
  readonly status: string;
  /** The sessions that it may be running where that is not certain, the likeliest first. */
  readonly candidates: readonly string[];
}

/** Asks which sessions the terminals of these processes run. */
export type Holdings = (pids: readonly number[]) => Promise<readonly Held[]>;

/** A terminal in which a session's agent may run. */
export interface Suspect {
  readonly terminal: vscode.Terminal;
  readonly sure: boolean;
  /** Every session that its agent may be running. */
  readonly sessions: readonly string[];
  readonly status: string;
}

/** The terminals of this window in which a session's agent may run. */
export async function suspects(session: string, holdings: Holdings): Promise<Suspect[]> {
  const terminals = new Map<number, vscode.Terminal>();
  for (const terminal of vscode.window.terminals) {
    const pid = await terminal.processId;
    if (pid !== undefined) {
      terminals.set(pid, terminal);
    }
  }
  const found: Suspect[] = [];
  for (const { pid, session: held, proof, status, candidates } of await holdings([...terminals.keys()])) {
    const terminal = terminals.get(pid);
    const sessions = held === null ? candidates : [held];
    if (terminal && sessions.includes(session)) {
      found.push({ terminal, sure: held === session && proof !== '' && proof !== 'start', sessions, status });
    }
  }
  return found;
}

/** The terminal that certainly runs a session: the only one for which that is proved. */
export function proven(found: readonly Suspect[]): Suspect | undefined {
  const [only, ...others] = found.filter((f) => f.sure);
  return others.length === 0 ? only : undefined;
}

/** The agent's own compaction command, if it can be typed. */
export function compactionCommand(reading: Reading): string | undefined {
  const how = reading.advice.find((a) => a.action === 'compact')?.how ?? compactCommand(reading.agent);
  return how && /^\/[a-z-]+$/.test(how) ? how : undefined;
}

/** Why nothing may be typed into an agent now. */
export type Hindrance = 'asks' | 'works' | 'ended' | 'unknown';

/** Why nothing may be typed into a session's agent now; undefined when it waits at its prompt. */
export function hindrance(reading: Reading | undefined, status = ''): Hindrance | undefined {
  const { activity, waitingFor, pending } = reading ?? {};
  switch (true) {
    case status === 'waiting' || (activity === 'waiting' && waitingFor === 'approval'):
      return 'asks';
    case status === 'busy' || pending === true || activity === 'working':
      return 'works';
    case activity === 'ended':
      return 'ended';
    case activity === 'idle' || (activity === 'waiting' && waitingFor === 'prompt'):
      return undefined;
    default:
      return 'unknown';
  }
}
