// Copyright The ctx-lsp authors. MIT licence.

import type { Level, Reading } from '../api/protocol';

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/**
 * Notices levels where no daemon does. A session crosses into a higher one once: an estimate that wavers around the
 * line does not cross it twice. A compaction, or a measured Reading below every line, arms the levels again, but for
 * “soon”, which is said once in a session.
 */
export class Crossings {
  private readonly told = new Map<string, { level: Level; compactions: number; soon: boolean }>();

  /** The level that this Reading has newly reached, or undefined. */
  reached(reading: Reading): Level | undefined {
    const { level } = reading.compaction;
    const { compactions } = reading;
    let before = this.told.get(reading.session) ?? { level: 'ok', compactions, soon: false };
    if (before.compactions !== compactions || (level === 'ok' && reading.basis === 'measured')) {
      before = { ...before, level: 'ok', compactions };
    }
    const crossed = rank[level] > rank[before.level];
    this.told.set(reading.session, {
      compactions,
      level: crossed ? level : before.level,
      soon: before.soon || crossed,
    });
    return crossed && !(level === 'soon' && before.soon) ? level : undefined;
  }

  forget(session: string): void {
    this.told.delete(session);
  }
}
