// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../api/protocol';
import { isDim } from './names';

/** The source of a Reading: the transcripts that the daemon follows, or an extension that uses the API. */
export type Origin = 'watched' | 'api';

export interface Known {
  readonly reading: Reading;
  readonly origin: Origin;
}

/** The latest Reading of every session that this window knows. */
export class Sessions {
  private readonly known = new Map<string, Known>();

  get(id: string): Known | undefined {
    return this.known.get(id);
  }

  get size(): number {
    return this.known.size;
  }

  all(): Known[] {
    return [...this.known.values()];
  }

  /** Adds a newer Reading, and returns the one that it replaces. */
  put(reading: Reading, origin: Origin): Reading | undefined {
    const before = this.known.get(reading.session);
    this.known.set(reading.session, { reading, origin: before?.origin ?? origin });
    return before?.reading;
  }

  remove(id: string): void {
    this.known.delete(id);
  }

  /** Forgets the daemon's sessions, because the daemon is about to send them again or has ended. */
  forgetWatched(): void {
    for (const [id, known] of this.known) {
      if (known.origin === 'watched') {
        this.known.delete(id);
      }
    }
  }

  /**
   * Returns the session that was active last, without sub-agents; active sessions come first. Undefined if none is
   * accepted.
   */
  latest(accept: (reading: Reading) => boolean = () => true): Reading | undefined {
    let best: Reading | undefined;
    for (const { reading } of this.known.values()) {
      if (!reading.parent && accept(reading) && (best === undefined || comesBefore(reading, best))) {
        best = reading;
      }
    }
    return best;
  }
}

function comesBefore(a: Reading, b: Reading): boolean {
  return isDim(a) === isDim(b) ? (a.asOf ?? 0) >= (b.asOf ?? 0) : isDim(b);
}

/** The fields for ordering sessions, which Readings, children and summaries have in common. */
interface Fullness {
  readonly percent: number | null;
  readonly used: number;
}

/** Orders active sessions first, and then by fullness. */
export function liveFirst(a: Reading, b: Reading): number {
  return isDim(a) === isDim(b) ? byFullness(a, b) : isDim(a) ? 1 : -1;
}

/** Orders sessions by fullness, the fullest first; those without a known window come last, by tokens. */
export function byFullness(a: Fullness, b: Fullness): number {
  if (a.percent !== b.percent) {
    return a.percent === null ? 1 : b.percent === null ? -1 : a.percent < b.percent ? 1 : -1;
  }
  return a.used === b.used ? 0 : a.used < b.used ? 1 : -1;
}
