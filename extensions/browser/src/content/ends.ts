// Copyright The ctx-lsp authors. MIT licence.

import { extentOf } from './extent';
import type { Reader } from './reader';

/** How long after a change the turns' positions are checked, so that no keystroke or scrolling waits for it. */
const soon = 150;

/** A page that shows its first turn for this long without loading an earlier one has none. */
const rests = 1000;

/** Watches whether the page has shown the beginning and the end of its conversation, and gaps between turns. */
export class Ends {
  private timer = 0;
  private top = 0;
  private head: unknown = null;

  constructor(
    private readonly reader: Reader,
    private readonly changed: () => void,
    signal: AbortSignal,
  ) {
    document.addEventListener('scroll', () => this.soon(), { capture: true, passive: true, signal });
    window.addEventListener('resize', () => this.soon(), { passive: true, signal });
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** Checks soon, because the page has changed or was scrolled. */
  soon(wait = soon): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      this.look();
    }, wait);
  }

  private look(): void {
    const mounted = this.reader.mounted;
    const extent = mounted && extentOf(mounted.first, mounted.last);
    if (!extent) return;
    const now = performance.now();
    const { head } = this.reader;
    if (!extent.top || head !== this.head) this.top = now;
    this.head = head;
    const left = this.top + rests - now;
    const begins = extent.top && (extent.fits || left <= 0);
    if (this.reader.stands(extent, begins)) this.changed();
    if (extent.top && !begins) this.soon(left);
  }
}
