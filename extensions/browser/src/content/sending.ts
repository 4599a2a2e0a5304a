// Copyright The ctx-lsp authors. MIT licence.

import type { Passes, ShownReading } from '../messages';
import { numbersOf } from './numbers';
import type { Box } from './place';
import type { Say } from './say';

const gap = 8;

/**
 * A warning before sending: the draft would pass the user's threshold or the window. Each of the two appears once,
 * above the page's send button, and covers neither the button nor the field.
 */
export class Sending {
  readonly element = document.createElement('div');
  private readonly words = document.createElement('span');
  private warned = new Set<Passes>();
  private shown: Passes | null = null;

  constructor(private readonly say: Say) {
    this.element.className = 'sending';
    this.element.hidden = true;
    this.element.setAttribute('role', 'alert');
    const close = document.createElement('button');
    close.textContent = '×';
    close.setAttribute('aria-label', say('close'));
    close.addEventListener('click', () => this.close());
    this.element.append(this.words, close);
  }

  /** Allows both warnings again for another conversation. */
  forget(): void {
    this.warned.clear();
    this.close();
  }

  /** Shows the warning unless it was already shown; removes it if the draft no longer passes anything. */
  show(passes: Passes | null, reading: ShownReading, threshold: number, end: string): void {
    if (passes === null && this.shown === null) return;
    if (passes === null || (passes !== this.shown && this.warned.has(passes))) {
      this.close();
      return;
    }
    const isNew = passes !== this.shown;
    this.warned.add(passes);
    this.shown = passes;
    const { percent, limit } = reading.display;
    // Screen readers read it once, although its number follows the draft.
    this.element.setAttribute('role', isNew ? 'alert' : 'note');
    this.words.textContent =
      passes === 'window'
        ? [this.say('passesWindow', percent, limit), end].filter(Boolean).join(' ')
        : this.say('passesLine', percent, numbersOf(this.say).percent(threshold));
    if (!isNew) return;
    this.element.dataset.passes = passes;
    this.element.hidden = false;
    this.element.showPopover();
  }

  get visible(): boolean {
    return this.shown !== null;
  }

  close(): void {
    this.shown = null;
    this.element.hidden = true;
    this.element.hidePopover();
  }

  /** Places the warning above the button, and above the field's row and the badge if they are in the way. */
  place(button: Box | null, composer: Box | null, badge: Box): void {
    if (!this.visible) return;
    const at = button ?? composer ?? badge;
    const own = this.element.getBoundingClientRect();
    const right = Math.min(innerWidth - own.width - gap, at.left + at.width - own.width);
    const left = Math.max(gap, right);
    let bottom = Math.min(at.top, composer?.top ?? at.top) - gap;
    const overBadge = badge.left < left + own.width && left < badge.left + badge.width;
    if (overBadge && badge.top < bottom && badge.top + badge.height > bottom - own.height) bottom = badge.top - gap;
    const top = Math.max(gap, bottom - own.height);
    Object.assign(this.element.style, { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
  }
}
