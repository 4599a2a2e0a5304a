// Copyright The ctx-lsp authors. MIT licence.

/** Decides how often, and how soon, a daemon that ends by itself is started again. */
const delaysMs = [200, 1000, 3000, 10_000];
/** After a daemon has run for so long, the count begins anew. */
const provenMs = 180_000;

/** Decides after each end whether and when to start again. The time is a parameter. */
export class RestartPolicy {
  private failures = 0;
  private startedAt = 0;

  started(now: number): void {
    this.startedAt = now;
  }

  /** The delay before the next start in milliseconds, or undefined when it has failed too often. */
  ended(now: number): number | undefined {
    if (this.startedAt > 0 && now - this.startedAt >= provenMs) {
      this.failures = 0;
    }
    const delay = delaysMs[this.failures];
    this.failures += 1;
    return delay;
  }

  /** A person asked for a restart, so past failures are forgotten. */
  reset(): void {
    this.failures = 0;
  }
}
