// Copyright The ctx-lsp authors. MIT licence.

import { type Site, typed } from '../adapter/site';

/** Only this many characters of a draft are read. */
const longest = 1_000_000;

/** The field that the user types in. */
export class Field {
  /** The last draft sent to the worker. */
  sent = '';
  element: HTMLElement | null = null;
  private waiting = false;

  constructor(
    private readonly site: Site,
    /** Called after a keystroke, once the browser is idle. */
    private readonly wrote: () => void,
    signal: AbortSignal,
  ) {
    document.addEventListener('input', (e) => this.input(e), { capture: true, passive: true, signal });
  }

  /** Reports whether a change happened inside the field, which has its own event for it. */
  holds(node: Node): boolean {
    return this.element?.contains(node) ?? false;
  }

  text(): string {
    if (!this.element?.isConnected) this.element = this.site.draft(document);
    return this.element ? typed(this.element).slice(0, longest) : '';
  }

  /** Only records that there was a keystroke; the field is read later. */
  private input(e: Event): void {
    if (this.waiting || !(e.target instanceof Node)) return;
    this.waiting = true;
    requestIdleCallback(
      () => {
        this.waiting = false;
        this.wrote();
      },
      { timeout: 200 },
    );
  }
}
