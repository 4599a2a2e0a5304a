// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { compactCommand } from './agents';

/** The daemon's information about the agent in a terminal. */
export interface Held {
  readonly pid: number;
  /** The session of the agent; null if that is uncertain. */
  readonly session: string | null;
  /** How the session is known: `start` is inferred from times, all others are traces of the agent itself. */
  readonly proof: string;
  /** The activity that the agent itself reports. */
  readonly status: string;
  /** The sessions that it may be running if that is uncertain, the likeliest first. */
  readonly candidates: readonly string[];
}

/** Requests the sessions that run in the terminals of these processes. */
export type Holdings = (pids: readonly number[]) => Promise<readonly Held[]>;

/** A terminal that may be running a session's agent. */
export interface Suspect {
  readonly terminal: vscode.Terminal;
  readonly sure: boolean;
  /** All sessions that its agent may be running. */
  readonly sessions: readonly string[];
  readonly status: string;
}

/** Returns the terminals of this window that may be running a session's agent. */
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

/** Returns the terminal that certainly runs a session; undefined unless there is exactly one. */
export function proven(found: readonly Suspect[]): Suspect | undefined {
  const [only, ...others] = found.filter((f) => f.sure);
  return others.length === 0 ? only : undefined;
}

/** Returns the agent's own compaction command; undefined if it cannot be typed. */
export function compactionCommand(reading: Reading): string | undefined {
  const how = reading.advice.find((a) => a.action === 'compact')?.how?.text ?? compactCommand(reading.agent);
  return how && /^\/[a-z-]+$/.test(how) ? how : undefined;
}

/** The reasons why nothing may be typed into an agent. */
export type Hindrance = 'asks' | 'works' | 'ended' | 'unknown';

/** Returns why nothing may be typed into a session's agent now; undefined if it waits at its prompt. */
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
