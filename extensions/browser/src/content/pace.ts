// Copyright The ctx-lsp authors. MIT licence.

/**
 * The first change of a page is read at once. While the page goes on changing, it is read when it has been quiet for so
 * long.
 */
const settle = 80;
const atMost = 250;

/** How long a page may be unreadable, too long or without messages while it is being built or rebuilt. */
const patience = { unknown: 1500, tooLong: 0, empty: 6000 };

/** Why a page cannot be read. */
export type Puzzle = keyof typeof patience;

/** When the page is read. */
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

  /** The page has changed. Until there is a badge, waiting gains nothing. */
  changed(shown: boolean): void {
    const now = performance.now();
    if (this.timer) {
      if (now - this.since > atMost) return;
      clearTimeout(this.timer);
    } else this.since = now;
    const wait = !shown || now - this.read > atMost ? 0 : settle;
    this.timer = window.setTimeout(this.look, wait);
  }

  /** The page is looked at now. */
  starts(): void {
    this.timer = 0;
  }

  /** The page is read now. */
  reads(): void {
    this.read = performance.now();
  }

  /** The next change is read at once. */
  hurry(): void {
    this.read = -Infinity;
  }

  /** The page was understood, or another one is shown. */
  understood(): void {
    this.puzzled = 0;
  }

  /** Whether a page that cannot be read has had its time; until then it is looked at again. */
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
