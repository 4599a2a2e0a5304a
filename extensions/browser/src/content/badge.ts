// Copyright The ctx-lsp authors. MIT licence.

import type { Aside, Coverage, Told } from '../messages';
import type { Settings } from '../settings';
import type { SiteData } from '../sites/data';
import type { Planned } from '../sites/plans';
import type { Site } from '../sites/site';
import { covered } from './covered';
import { Ring, rowsOf, stackedBar } from './details';
import { Drag } from './drag';
import { type Box, coversControl, draggedTo, placeFor } from './place';
import { planNotes, planQuestion } from './plan';
import { style } from './style';
import { isRightToLeft, themeOf } from './theme';
import { facts, sums } from './words';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

const dark = matchMedia('(prefers-color-scheme: dark)');

/** How long "hide" can be undone. */
const undoable = 6000;

/** What the person can do at the badge. */
export interface BadgeActions {
  moved(to: Pick<Settings, 'corner' | 'dragged'>): void;
  /** Switches the badge off on this site. */
  off(): void;
  options(): void;
  /** The person has said which plan they have on this site. */
  plan(id: string): void;
}

/**
 * The badge. It lives in a closed shadow root, so that the page can neither read nor style it. It renders a Reading as
 * it is: the core has decided every number and every line in it. Its line stays where it is, and the details open
 * beside it.
 */
export class Badge {
  private readonly host = document.createElement('ctx-lsp-badge');
  private readonly box = document.createElement('div');
  private readonly line = document.createElement('button');
  private readonly ring = new Ring();
  private readonly text = document.createElement('span');
  private readonly panel = document.createElement('div');
  private readonly content = document.createElement('div');
  private readonly aloud = document.createElement('div');
  private set: Settings | null = null;
  private level = '';
  private hiding = 0;
  private readonly retheme = (): void => {
    this.box.dataset.theme = themeOf(this.site);
  };
  /** The page's own switch changes an attribute of its outermost elements. */
  private readonly look = new MutationObserver(this.retheme);

  constructor(
    private readonly actions: BadgeActions,
    private readonly site: Site,
  ) {
    const root = this.host.attachShadow({ mode: 'closed' });
    const sheet = document.createElement('style');
    sheet.textContent = style;
    this.box.className = 'badge';
    this.box.dir = say('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr';
    this.line.className = 'line';
    this.panel.className = 'panel';
    this.panel.id = 'panel';
    this.line.setAttribute('aria-controls', 'panel');
    this.line.setAttribute('aria-expanded', 'false');
    this.line.title = say('keys');
    this.line.append(this.ring.element, this.text);
    // Only a crossed level is announced, because a number that changes with every keystroke would be announced all the
    // time.
    this.aloud.className = 'aloud';
    this.aloud.setAttribute('role', 'status');
    this.panel.append(this.content, this.buttons());
    this.box.append(this.line, this.panel, this.aloud);
    root.append(sheet, this.box);
    const drag = new Drag(this.line, this.box, (place) =>
      this.actions.moved({ corner: this.set?.corner ?? 'field', dragged: draggedTo(place, innerWidth, innerHeight) }),
    );
    this.line.addEventListener('click', () => !drag.ended() && this.open(!this.box.classList.contains('open')));
    this.box.addEventListener('keydown', (e) => this.key(e));
    // Events at the badge are hidden from the page.
    for (const type of ['keydown', 'keyup', 'keypress', 'click', 'pointerdown', 'mousedown'])
      this.host.addEventListener(type, (e) => e.stopPropagation());
  }

  show(
    reading: Told,
    settings: Settings,
    coverage: Coverage | null,
    site: SiteData,
    plan: Planned,
    _aside: Aside,
  ): void {
    this.ring.draw(reading.percent);
    this.print(reading.lines.badge, reading.lines.spoken, reading.compaction.level, settings);
    const head = document.createElement('p');
    head.className = 'head';
    head.textContent = this.site.name;
    this.content.replaceChildren(
      head,
      ...(plan.asks ? [planQuestion(site, say, (id) => this.actions.plan(id))] : []),
      stackedBar(reading),
      rowsOf(reading, sums(reading, say), say),
      ...this.notes(reading, coverage),
      ...planNotes(site, plan, say).map(note),
    );
  }

  unknown(reason: string, settings: Settings): void {
    this.ring.draw(null);
    this.print('?', `${say('unknown')} ${reason}`, 'unknown', settings);
    this.content.replaceChildren(note(reason));
  }

  /** Says aloud that a level was crossed. */
  announce(reading: Told): void {
    this.aloud.textContent = reading.lines.spoken;
  }

  hide(): void {
    clearTimeout(this.hiding);
    this.hiding = 0;
    this.look.disconnect();
    dark.removeEventListener('change', this.retheme);
    this.host.remove();
    this.level = '';
  }

  /** Moves to where it covers neither the page's own field, with the row around it, nor another control. */
  avoid(field: HTMLElement | null): void {
    if (!this.host.isConnected || !this.set || this.box.classList.contains('dragged')) return;
    const composer = this.site.composer(document) ?? field?.closest<HTMLElement>('form, fieldset') ?? field;
    const around = {
      width: innerWidth,
      height: innerHeight,
      composer: composer?.getBoundingClientRect() ?? null,
      rightToLeft: isRightToLeft(),
    };
    const own = this.line.getBoundingClientRect();
    const { corner, dragged } = this.set;
    const covers = (place: Box): boolean => coversControl(place, this.host);
    this.place(placeFor(corner, dragged, own, around, covers), own);
    this.retheme();
  }

  private print(text: string, words: string, level: string, settings: Settings): void {
    this.set = settings;
    if (!this.hiding) this.text.textContent = text;
    this.line.setAttribute('aria-label', words);
    this.box.dataset.level = level;
    if (this.level !== '' && (this.level === 'unknown') !== (level === 'unknown')) this.aloud.textContent = words;
    this.level = level;
    if (this.host.isConnected) return;
    document.documentElement.append(this.host);
    for (const element of [document.documentElement, document.body]) this.look.observe(element, { attributes: true });
    dark.addEventListener('change', this.retheme);
  }

  /** Holds the badge at the side that is nearer, so that a longer text does not move it. */
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
    this.box.style.setProperty('--room', px((up ? place.top : innerHeight - place.top - own.height) - 12));
    for (const [name, is] of Object.entries({ atLeft: left, atRight: !left, up, down: !up }))
      this.box.classList.toggle(name, is);
  }

  private notes(reading: Told, coverage: Coverage | null): HTMLElement[] {
    const source = say(`source_${reading.limitSource}`);
    const d = reading.display;
    const notes = [reading.limit === null ? source : say('ofLimit', d.used, d.limit, source)];
    if (reading.lines.why) notes.push(reading.lines.why);
    notes.push(...facts(reading, say));
    // How fast a chat grows is known only after a measurement; before it, the pace would be that of a coding agent.
    const turns = reading.lastRequest && reading.compaction.turnsLeft;
    if (turns) notes.push(say('turnsLeft', String(turns.low), String(turns.high)));
    if (reading.model) notes.push(reading.model);
    if (!reading.lastRequest && reading.mode !== 'provider') notes.push(say('estimated'));
    return [...(coverage ? covered(coverage, say) : []), ...notes].map(note);
  }

  private buttons(): HTMLElement {
    const row = document.createElement('div');
    row.className = 'actions';
    for (const [key, action] of [
      ['options', () => this.actions.options()],
      ['offHere', () => this.goneSoon()],
    ] as const) {
      const button = document.createElement('button');
      button.textContent = say(key);
      button.addEventListener('click', action);
      row.append(button);
    }
    return row;
  }

  /** Hides the badge on this site unless the person changes their mind. */
  private goneSoon(): void {
    this.open(false);
    const undo = document.createElement('span');
    undo.className = 'undo';
    undo.textContent = say('undo');
    const before = this.text.textContent;
    this.text.replaceChildren(`${say('hiddenHere')} `, undo);
    this.hiding = window.setTimeout(() => this.actions.off(), undoable);
    const keep = (e: Event): void => {
      clearTimeout(this.hiding);
      this.hiding = 0;
      this.text.textContent = before;
      e.stopImmediatePropagation();
      this.line.removeEventListener('click', keep, true);
    };
    this.line.addEventListener('click', keep, true);
    this.line.focus();
  }

  private open(open: boolean): void {
    this.box.classList.toggle('open', open);
    this.line.setAttribute('aria-expanded', String(open));
  }

  /** Escape closes the details; arrows move the badge to another corner. Enter and space press the buttons. */
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
    if (e.key === 'Escape') this.open(false);
    else if (corner) {
      const to = { corner, dragged: null };
      if (this.set) this.set = { ...this.set, ...to };
      this.avoid(null);
      this.actions.moved(to);
    } else return;
    e.preventDefault();
  }
}

function note(text: string): HTMLElement {
  const p = document.createElement('p');
  p.className = 'note';
  p.textContent = text;
  return p;
}
