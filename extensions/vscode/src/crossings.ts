// Copyright The ctx-lsp authors. MIT licence.

import type { Level, Reading } from '../api/protocol';

const rank: Record<Level, number> = { ok: 0, soon: 1, now: 2, over: 3 };

/**
 * Notices when a session crosses into a higher level, once per crossing: an estimate that wavers around
 * the line does not cross it twice. A compaction arms every level again; a measured Reading below every line arms those
 * above “soon”, which is said once on the way to a compaction.
 */
export class Crossings {
  private readonly told = new Map<string, { level: Level; compactions: number }>();

  /** Remembers a session as it is found, without telling: it was full before this window looked. */
  found(reading: Reading): void {
    this.told.set(reading.session, { level: reading.compaction.level, compactions: reading.compactions });
  }

  /** The level that this Reading has newly reached, or undefined. */
  reached(reading: Reading): Level | undefined {
    const { level } = reading.compaction;
    let before = this.told.get(reading.session) ?? { level: 'ok' as Level, compactions: reading.compactions };
    if (before.compactions !== reading.compactions) {
      before = { level: 'ok', compactions: reading.compactions };
    } else if (level === 'ok' && reading.basis === 'measured' && rank[before.level] > rank.soon) {
      before = { ...before, level: 'soon' };
    }
    const crossed = rank[level] > rank[before.level];
    this.told.set(reading.session, crossed ? { ...before, level } : before);
    return crossed ? level : undefined;
  }

  forget(session: string): void {
    this.told.delete(session);
  }
}
