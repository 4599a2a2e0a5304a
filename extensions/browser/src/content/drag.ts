// Copyright The ctx-lsp authors. MIT licence.

import type { Box } from './place';

/** A shorter movement, in pixels, is a click with an unsteady hand. */
const least = 5;

/** Lets the user drag a box by its handle. */
export class Drag {
  private from: { x: number; y: number; box: DOMRect } | null = null;
  private was = false;

  constructor(
    handle: HTMLElement,
    private readonly box: HTMLElement,
    private readonly dropped: (place: Box) => void,
  ) {
    handle.addEventListener('pointerdown', (e) => {
      this.was = false;
      if (e.button !== 0) return;
      this.from = { x: e.clientX, y: e.clientY, box: handle.getBoundingClientRect() };
      handle.setPointerCapture(e.pointerId);
    });
    handle.addEventListener('pointermove', (e) => this.move(e));
    handle.addEventListener('pointerup', (e) => this.end(this.place(e)));
    handle.addEventListener('pointercancel', () => this.end(null));
  }

  /** Reports whether the next click ends a drag, and resets that. */
  ended(): boolean {
    const was = this.was;
    this.was = false;
    return was;
  }

  private place(e: PointerEvent): Box | null {
    if (!this.from) return null;
    const { x, y, box } = this.from;
    const within = (at: number, size: number, room: number): number => Math.max(0, Math.min(at, room - size));
    return {
      left: within(box.left + e.clientX - x, box.width, innerWidth),
      top: within(box.top + e.clientY - y, box.height, innerHeight),
      width: box.width,
      height: box.height,
    };
  }

  private move(e: PointerEvent): void {
    const place = this.place(e);
    if (!place || !this.from) return;
    if (!this.was && Math.hypot(e.clientX - this.from.x, e.clientY - this.from.y) < least) return;
    this.was = true;
    this.box.classList.add('dragged');
    Object.assign(this.box.style, { left: `${place.left}px`, top: `${place.top}px`, right: 'auto', bottom: 'auto' });
  }

  private end(place: Box | null): void {
    this.from = null;
    this.box.classList.remove('dragged');
    if (place && this.was) this.dropped(place);
  }
}
