// Copyright The ctx-lsp authors. MIT licence.

/**
 * The first change of a page is read at once. While it continues to change, it is read after being quiet for `settle`,
 * but at least every `atMost`.
 */
const settle = 80;
const atMost = 250;

/** How long a page may be unreadable, too long or without messages while it is being built or rebuilt. */
const patience = { unknown: 1500, tooLong: 0, empty: 6000 };

/** Why a page cannot be read. */
export type Puzzle = keyof typeof patience;

/** Decides when the page is read. */
export class Pace {
  private timer = 0;
  private later = 0;
  private since = 0;
  private read = -Infinity;
  private puzzled = 0;

  constructor(
    private readonly look: () => void,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => {
      clearTimeout(this.timer);
      clearTimeout(this.later);
    });
  }

  /** Whether the page will be read soon. */
  get waits(): boolean {
    return this.timer !== 0;
  }

  /** Schedules a reading because the page has changed. Until there is a badge, it does not wait. */
  changed(shown: boolean): void {
    const now = performance.now();
    if (this.timer) {
      if (now - this.since > atMost) return;
      clearTimeout(this.timer);
    } else this.since = now;
    const wait = !shown || now - this.read > atMost ? 0 : settle;
    this.timer = window.setTimeout(this.look, wait);
  }

  /** Marks the scheduled reading as started. */
  starts(): void {
    this.timer = 0;
  }

  /** Records that the page is being read now. */
  reads(): void {
    this.read = performance.now();
  }

  /** Lets the next change be read at once. */
  hurry(): void {
    this.read = -Infinity;
  }

  /** Resets the patience, because the page was understood or another one is shown. */
  understood(): void {
    this.puzzled = 0;
  }

  /** Reports whether an unreadable page has used up its time; otherwise schedules another try. */
  givesUp(why: Puzzle, again: () => void): boolean {
    const now = performance.now();
    this.puzzled ||= now;
    const left = this.puzzled + patience[why] - now;
    if (left <= 0) return true;
    this.later ||= window.setTimeout(() => {
      this.later = 0;
      again();
    }, left);
    return false;
  }
}
