// Copyright The ctx-lsp authors. MIT licence.

import { type Site, typed } from '../adapter/site';

/** A longer draft is read up to here. */
const longest = 1_000_000;

/** The field in which the person types. */
export class Field {
  /** The draft that the worker has. */
  sent = '';
  element: HTMLElement | null = null;
  private waiting = false;

  constructor(
    private readonly site: Site,
    /** Called when there was a keystroke, once the browser has time. */
    private readonly wrote: () => void,
    signal: AbortSignal,
  ) {
    document.addEventListener('input', (e) => this.input(e), { capture: true, passive: true, signal });
  }

  /** Whether a change is one of the field itself, which its own event tells. */
  holds(node: Node): boolean {
    return this.element?.contains(node) ?? false;
  }

  text(): string {
    if (!this.element?.isConnected) this.element = this.site.draft(document);
    return this.element ? typed(this.element).slice(0, longest) : '';
  }

  /** A keystroke only notes that there was one. */
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
