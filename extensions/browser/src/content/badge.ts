// Copyright The ctx-lsp authors. MIT licence.

import type { Site } from '../adapter/site';
import type { Passes, ShownReading } from '../messages';
import type { Settings } from '../settings';
import { Drag } from './drag';
import { Panel, type PanelActions } from './panel';
import { type Box, Controls, draggedTo, meets, placeFor } from './place';
import { Ring } from './ring';
import { Sending } from './sending';
import type { View } from './siteRows';
import { style } from './style';
import { isRightToLeft, themeOf } from './theme';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

const dark = matchMedia('(prefers-color-scheme: dark)');

/** How long "hide" can be undone, in milliseconds. */
const undoable = 6000;

/** The actions that the badge offers to the user. */
export interface BadgeActions extends Omit<PanelActions, 'hide'> {
  moved(to: Pick<Settings, 'corner' | 'dragged'>): void;
  /** Switches the badge off on this site. */
  off(): void;
  /** Called when the user has opened the details, which ask for the plan. */
  asked(): void;
}

/**
 * The badge. It lives in a closed shadow root, so that the page can neither read nor style it. It renders a Reading
 * unchanged: the core has computed every number and every line in it. Its line stays in place, and the details open
 * next to it.
 */
export class Badge {
  private readonly host = document.createElement('ctx-lsp-badge');
  private readonly box = document.createElement('div');
  private readonly line = document.createElement('button');
  private readonly ring = new Ring();
  private readonly text = document.createElement('span');
  /** The line as a sentence, for screen readers. */
  private readonly words = document.createElement('span');
  private readonly panel: Panel;
  private readonly sending = new Sending(say);
  private readonly aloud = document.createElement('div');
  private set: Settings | null = null;
  /** Looked up in advance, because messages are no longer available when these words are needed. */
  private readonly reload = say('updated');
  private outdated = false;
  /** Whether the line asks for the plan, which it does until the details have been opened once. */
  private asking = false;
  private level = '';
  /** Whether the badge is in the field's row, where no conversation scrolls below it. */
  private isInRow = false;
  private hiding = 0;
  private readonly retheme = (): void => {
    this.box.dataset.theme = themeOf(this.site);
    this.sending.element.dataset.theme = this.box.dataset.theme;
  };
  /** The page's theme switch changes an attribute of its outermost elements. */
  private readonly look = new MutationObserver(this.retheme);

  constructor(
    private readonly actions: BadgeActions,
    private readonly site: Site,
  ) {
    const root = this.host.attachShadow({ mode: 'closed' });
    const sheet = document.createElement('style');
    sheet.textContent = style;
    this.panel = new Panel(site.name, { ...actions, hide: () => this.hideSoon() }, say);
    this.box.className = 'badge';
    for (const e of [this.box, this.sending.element]) {
      e.dir = say('direction');
      e.lang = say('language');
      e.popover = 'manual';
    }
    this.line.className = 'line';
    this.line.setAttribute('aria-controls', 'panel');
    this.line.setAttribute('aria-expanded', 'false');
    this.line.title = say('keys');
    // Screen readers get the more detailed sentence, so the short line is only visible.
    this.text.setAttribute('aria-hidden', 'true');
    this.words.className = 'aloud words';
    this.line.append(this.ring.element, this.text, this.words);
    // Only a crossed level is announced: announcing the number would interrupt the user at every keystroke.
    this.aloud.className = 'aloud';
    this.aloud.setAttribute('role', 'status');
    this.box.append(this.line, this.panel.element, this.aloud);
    root.append(sheet, this.box, this.sending.element);
    const drag = new Drag(this.line, this.box, (place) =>
      this.actions.moved({ corner: this.set?.corner ?? 'field', dragged: draggedTo(place, innerWidth, innerHeight) }),
    );
    this.line.addEventListener('click', () => !drag.ended() && this.open(!this.box.classList.contains('open')));
    this.box.addEventListener('keydown', (e) => this.key(e));
    // Events at the badge are hidden from the page.
    for (const type of ['keydown', 'keyup', 'keypress', 'click', 'pointerdown', 'mousedown'])
      this.host.addEventListener(type, (e) => e.stopPropagation());
  }

  /** Reports whether a node is the badge's own. */
  holds(node: Node): boolean {
    return node === this.host;
  }

  /** Whether the badge is on the page. */
  get shown(): boolean {
    return this.host.isConnected;
  }

  show(view: View, settings: Settings): void {
    const { reading } = view;
    this.ring.draw(reading.percent);
    const asks = view.plan.lacks === 'plan' && !settings.asked.includes(this.site.id) ? ` · ${say('badgeAsks')}` : '';
    this.asking = asks !== '';
    this.print(reading.lines.badge + asks, reading.lines.spoken + asks, reading.compaction.level, settings);
    this.panel.show(view);
  }

  unknown(reason: string, settings: Settings): void {
    this.ring.draw(null);
    this.print('?', `${say('unknown')} ${reason}`, 'unknown', settings);
    this.panel.show(reason);
    this.sending.close();
  }

  /**
   * Shows a warning at the page's send button about the thresholds that the draft would pass. Returns whether the
   * warning has just appeared.
   */
  beforeSending(passes: Passes | null, reading: ShownReading, settings: Settings): boolean {
    const before = this.sending.visible;
    const end = this.site.data.end === 'unknown' ? '' : say(`end_${this.site.data.end}`, this.site.name);
    this.sending.show(settings.atSend ? passes : null, reading, settings.threshold, end);
    return this.sending.visible && !before;
  }

  /** Resets the warning, because another conversation is shown. */
  another(): void {
    this.sending.forget();
  }

  /** Announces to screen readers that a level was crossed. */
  announce(reading: ShownReading): void {
    this.aloud.textContent = reading.lines.spoken;
  }

  /** Marks this badge as left over after the extension was updated or removed: a click reloads the page. */
  leftOver(): void {
    if (!this.host.isConnected) return;
    this.outdated = true;
    clearTimeout(this.hiding);
    this.open(false);
    this.ring.draw(null);
    this.text.textContent = this.reload;
    this.words.textContent = this.reload;
    this.line.removeAttribute('title');
    this.box.dataset.level = 'unknown';
    this.line.addEventListener('click', () => location.reload(), { capture: true });
  }

  hide(): void {
    if (this.outdated) return;
    clearTimeout(this.hiding);
    this.hiding = 0;
    this.sending.close();
    this.look.disconnect();
    dark.removeEventListener('change', this.retheme);
    this.host.remove();
    this.level = '';
  }

  /**
   * Moves to a place where it covers neither the field nor another control. Without a change of the layout it stays in
   * the field's row. Returns the elements that its place depends on; null if the badge does not move.
   */
  avoid(field: HTMLElement | null, changed = true): (Element | null)[] | null {
    if (!this.host.isConnected || !this.set || this.box.classList.contains('dragged')) return null;
    // In the row, its place does not depend on the conversation, and its own size is watched.
    if (!changed && this.isInRow) return null;
    const composer = this.site.composer(document) ?? field?.closest<HTMLElement>('form, fieldset') ?? field;
    const send = this.site.send(document);
    const around = {
      width: innerWidth,
      height: innerHeight,
      composer: composer?.getBoundingClientRect() ?? null,
      send: send?.getBoundingClientRect() ?? null,
      rightToLeft: isRightToLeft(),
    };
    const own = this.line.getBoundingClientRect();
    const { corner, dragged } = this.set;
    const controls = new Controls(document);
    const found = placeFor(corner, dragged, own, around, (p) => controls.covers(p));
    // If there is no place, the toolbar button still shows the number.
    this.box.classList.toggle('noRoom', found === null);
    const place = found ?? own;
    this.isInRow = found !== null && around.composer !== null && meets(found, around.composer);
    if (found) this.place(found, own);
    this.retheme();
    this.sending.place(around.send, around.composer, place);
    return [composer, send, field, this.line];
  }

  private print(text: string, words: string, level: string, settings: Settings): void {
    this.set = settings;
    // Rewriting an unchanged text would cause another layout.
    const write = (e: Element, to: string): void => {
      if (e.textContent !== to) e.textContent = to;
    };
    if (!this.hiding) write(this.text, text);
    if (!this.hiding) write(this.words, words);
    this.box.dataset.level = level;
    if (this.level !== '' && (this.level === 'unknown') !== (level === 'unknown')) this.aloud.textContent = words;
    this.level = level;
    if (this.host.isConnected) return;
    document.documentElement.append(this.host);
    // In the top layer, positions are relative to the window, whatever styles the page's outermost element has.
    this.box.showPopover();
    for (const element of [document.documentElement, document.body]) this.look.observe(element, { attributes: true });
    dark.addEventListener('change', this.retheme);
  }

  /** Anchors the badge at the nearer side, so that a longer text does not move it. */
  private place(place: Box, own: Box): void {
    const left = place.left + own.width / 2 < innerWidth / 2;
    const up = place.top + own.height / 2 > innerHeight / 2;
    const px = (n: number): string => `${Math.max(0, Math.round(n))}px`;
    Object.assign(this.box.style, {
      left: left ? px(place.left) : 'auto',
      right: left ? 'auto' : px(innerWidth - place.left - own.width),
      top: up ? 'auto' : px(place.top),
      bottom: up ? px(innerHeight - place.top - own.height) : 'auto',
    });
    const { style } = this.box;
    style.setProperty('--room', px((up ? place.top : innerHeight - place.top - own.height) - 12));
    // In a narrow window, the details extend beyond the badge's own end.
    const across = (left ? innerWidth - place.left : place.left + own.width) - 12;
    const wide = Math.min(340, innerWidth - 24);
    style.setProperty('--across', px(wide));
    style.setProperty('--beyond', px(wide - across));
    for (const [name, is] of Object.entries({ atLeft: left, atRight: !left, up, down: !up }))
      this.box.classList.toggle(name, is);
  }

  /** Hides the badge on this site unless the user undoes it in time. */
  private hideSoon(): void {
    this.open(false);
    const undo = document.createElement('span');
    undo.className = 'undo';
    undo.textContent = say('undo');
    const before = this.text.textContent;
    const words = this.words.textContent;
    this.text.replaceChildren(`${say('hiddenHere')} `, undo);
    this.words.textContent = `${say('hiddenHere')} ${say('undo')}`;
    this.hiding = window.setTimeout(() => this.actions.off(), undoable);
    const keep = (e: Event): void => {
      clearTimeout(this.hiding);
      this.hiding = 0;
      this.text.textContent = before;
      this.words.textContent = words;
      e.stopImmediatePropagation();
      this.line.removeEventListener('click', keep, true);
    };
    this.line.addEventListener('click', keep, true);
    this.line.focus();
  }

  private open(open: boolean): void {
    this.box.classList.toggle('open', open);
    this.line.setAttribute('aria-expanded', String(open));
    this.panel.toggle(open);
    if (open && this.asking) this.actions.asked();
  }

  /** Closes the details on Escape; arrow keys on the line move the badge to another corner. */
  private key(e: KeyboardEvent): void {
    const { classList } = this.box;
    const [vertical, horizontal] = [
      classList.contains('up') ? 'bottom' : 'top',
      classList.contains('atLeft') ? 'left' : 'right',
    ];
    const corner = {
      ArrowUp: `top ${horizontal}`,
      ArrowDown: `bottom ${horizontal}`,
      ArrowLeft: `${vertical} left`,
      ArrowRight: `${vertical} right`,
    }[e.key] as Settings['corner'] | undefined;
    const onLine = e.target instanceof Node && this.line.contains(e.target);
    if (e.key === 'Escape') {
      this.open(false);
      this.line.focus();
    } else if (corner && onLine) {
      const to = { corner, dragged: null };
      if (this.set) this.set = { ...this.set, ...to };
      this.avoid(null);
      this.actions.moved(to);
    } else return;
    e.preventDefault();
  }
}
