// Copyright The ctx-lsp authors. MIT licence.

/** The layout is checked soon after a change, and again when most animations have ended. */
const soon = 40;
const later = 240;

/**
 * Watches for layout changes, including those without a change of the page's nodes: panels that slide in, zoom, growing
 * fields.
 */
export class Layout {
  private timers: number[] = [];
  private scrolled = true;
  private watched: Element[] = [];
  private readonly sizes = new ResizeObserver(() => this.moved());
  private positions: IntersectionObserver[] = [];

  constructor(
    /** Called after a change, or after a scroll alone. */
    private readonly changed: (scrolled: boolean) => void,
    /** Reports whether changes of a node are left to the page's reader. */
    isRead: (node: Node) => boolean,
    signal: AbortSignal,
  ) {
    const styles = new MutationObserver((records) => {
      if (records.some((r) => !isRead(r.target))) this.moved();
    });
    styles.observe(document.documentElement, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['class', 'style', 'hidden', 'open', 'dir', 'inert'],
    });
    const moved = (): void => this.moved();
    for (const type of ['transitionend', 'animationend', 'fullscreenchange'])
      document.addEventListener(type, moved, { capture: true, passive: true, signal });
    document.addEventListener('scroll', () => this.moved(true), { capture: true, passive: true, signal });
    window.addEventListener('resize', moved, { passive: true, signal });
    window.visualViewport?.addEventListener('resize', moved, { passive: true, signal });
    signal.addEventListener('abort', () => {
      styles.disconnect();
      this.sizes.disconnect();
      for (const p of this.positions) p.disconnect();
      for (const t of this.timers) clearTimeout(t);
    });
  }

  /** Watches the sizes and positions of these elements only. */
  watch(elements: (Element | null | undefined)[]): void {
    const now = elements.filter((e) => e !== null && e !== undefined);
    if (now.length !== this.watched.length || now.some((e, i) => e !== this.watched[i])) {
      for (const e of this.watched) this.sizes.unobserve(e);
      for (const e of now) this.sizes.observe(e);
      this.watched = now;
    }
    for (const p of this.positions) p.disconnect();
    this.positions = now.map((e) => this.positionOf(e));
  }

  /** Returns an observer that reports when an element leaves its part of the window. */
  private positionOf(element: Element): IntersectionObserver {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    const inner = [top, innerWidth - right, innerHeight - bottom, left].map((n) => `${-Math.floor(n)}px`).join(' ');
    let first = true;
    const observer = new IntersectionObserver(
      () => {
        if (!first) this.moved();
        first = false;
      },
      { rootMargin: inner, threshold: [0, 0.25, 0.5, 0.75, 0.95, 1] },
    );
    observer.observe(element);
    return observer;
  }

  private moved(scrolled = false): void {
    this.scrolled &&= scrolled;
    if (this.timers.length > 0) return;
    const at = (wait: number, last: boolean): number =>
      window.setTimeout(() => {
        const { scrolled } = this;
        if (last) [this.timers, this.scrolled] = [[], true];
        this.changed(scrolled);
      }, wait);
    this.timers = [at(soon, false), at(later, true)];
  }
}
