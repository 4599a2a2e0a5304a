// Copyright The ctx-lsp authors. MIT licence.

/** The delays before a daemon that ended on its own is started again, one for each attempt. */
const delaysMs = [200, 1000, 3000, 10_000];
/** After a daemon has run for this long, its earlier failures are forgotten. */
const provenMs = 180_000;

/** Decides after each end whether and when to start again. The time is a parameter. */
export class RestartPolicy {
  private failures = 0;
  private startedAt = 0;

  started(now: number): void {
    this.startedAt = now;
  }

  /** Returns the delay before the next start in milliseconds, or undefined if it has failed too often. */
  ended(now: number): number | undefined {
    if (this.startedAt > 0 && now - this.startedAt >= provenMs) {
      this.failures = 0;
    }
    const delay = delaysMs[this.failures];
    this.failures += 1;
    return delay;
  }

  /** Forgets past failures, because the user has asked for a restart. */
  reset(): void {
    this.failures = 0;
  }
}
