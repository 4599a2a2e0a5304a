// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import type { Coverage, Told } from '../messages';
import type { Settings } from '../settings';
import type { SiteData } from '../sites/data';
import type { Planned } from '../sites/plans';
import { freeCorner } from './corner';
import { covered } from './covered';
import { planNotes, planQuestion } from './plan';
import { style } from './style';
import { facts, sums } from './words';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

/** What the person can do at the badge. */
export interface BadgeActions {
  moved(corner: Settings['corner']): void;
  /** Switches the badge off on this site. */
  off(): void;
  options(): void;
  /** The person has said which plan they have on this site. */
  plan(id: string): void;
}

/**
 * The badge. It lives in a closed shadow root, so that the page can neither read nor style it. It renders a Reading as
 * it is: the core has decided every number and every line in it.
 */
export class Badge {
  private readonly host = document.createElement('ctx-lsp-badge');
  private readonly box = document.createElement('div');
  private readonly line = document.createElement('button');
  private readonly panel = document.createElement('div');
  private readonly content = document.createElement('div');
  private readonly aloud = document.createElement('div');
  /** The corner that the person has chosen, and the corner in which the badge is while that one is taken. */
  private wanted: Settings['corner'] | null = null;
  private corner: Settings['corner'] = 'bottom right';
  private level = '';

  constructor(private readonly actions: BadgeActions) {
    const root = this.host.attachShadow({ mode: 'closed' });
    const sheet = document.createElement('style');
    sheet.textContent = style;
    this.box.className = 'badge';
    this.line.className = 'line';
    this.panel.className = 'panel';
    this.panel.id = 'panel';
    this.line.setAttribute('aria-controls', 'panel');
    this.line.setAttribute('aria-expanded', 'false');
    this.line.title = say('keys');
    // Only a crossed level is announced, because a number that changes with every keystroke would be announced all the
    // time.
    this.aloud.className = 'aloud';
    this.aloud.setAttribute('role', 'status');
    this.panel.append(this.content, this.buttons());
    this.box.append(this.line, this.panel, this.aloud);
    root.append(sheet, this.box);
    this.line.addEventListener('click', () => this.open(!this.box.classList.contains('open')));
    this.box.addEventListener('keydown', (e) => this.key(e));
    this.box.addEventListener('pointerleave', () => this.box.classList.remove('closed'));
    // Events at the badge are hidden from the page.
    for (const type of ['keydown', 'keyup', 'keypress', 'click', 'pointerdown', 'mousedown'])
      this.host.addEventListener(type, (e) => e.stopPropagation());
  }

  show(reading: Told, settings: Settings, coverage: Coverage | null, site: SiteData, plan: Planned): void {
    this.print(reading.lines.badge, reading.lines.spoken, reading.compaction.level, settings);
    this.content.replaceChildren(
      ...(plan.asks ? [planQuestion(site, say, (id) => this.actions.plan(id))] : []),
      this.table(reading),
      ...this.notes(reading, coverage),
      ...planNotes(site, plan, say).map(note),
    );
  }

  unknown(reason: string, settings: Settings): void {
    this.print('?', `${say('unknown')} ${reason}`, 'unknown', settings);
    this.content.replaceChildren(note(reason));
  }

  /** Says aloud that a level was crossed. */
  announce(reading: Told): void {
    this.aloud.textContent = reading.lines.spoken;
  }

  hide(): void {
    this.host.remove();
    this.level = '';
  }

  /** Moves to another corner while the page's own field, with the form around it, is where the badge would be. */
  avoid(field: HTMLElement | null): void {
    if (!this.host.isConnected || !this.wanted) return;
    const taken = field ? (field.closest('form, fieldset') ?? field).getBoundingClientRect() : null;
    const own = this.line.getBoundingClientRect();
    const corner = taken ? freeCorner(this.wanted, own, taken, innerWidth, innerHeight) : this.wanted;
    if (corner !== this.corner) this.place(corner);
  }

  private print(text: string, words: string, level: string, settings: Settings): void {
    if (settings.corner !== this.wanted) {
      this.wanted = settings.corner;
      this.place(settings.corner);
    }
    this.line.textContent = text;
    this.line.setAttribute('aria-label', words);
    this.box.dataset.level = level;
    if (this.level !== '' && (this.level === 'unknown') !== (level === 'unknown')) this.aloud.textContent = words;
    this.level = level;
    if (!this.host.isConnected) document.documentElement.append(this.host);
  }

  private place(corner: Settings['corner']): void {
    this.corner = corner;
    this.box.classList.remove('top', 'bottom', 'left', 'right');
    this.box.classList.add(...corner.split(' '));
  }

  private table(reading: Reading): HTMLElement {
    const table = document.createElement('table');
    for (const row of reading.breakdown) {
      const tr = table.insertRow();
      tr.insertCell().textContent = say(`row_${row.kind}`) === `row_${row.kind}` ? row.label : say(`row_${row.kind}`);
      tr.insertCell().textContent = row.tokens.toLocaleString();
    }
    const foot = table.createTFoot();
    for (const [label, tokens] of sums(reading, say)) {
      const tr = foot.insertRow();
      tr.insertCell().textContent = label;
      tr.insertCell().textContent = tokens.toLocaleString();
    }
    return table;
  }

  private notes(reading: Told, coverage: Coverage | null): HTMLElement[] {
    const source = say(`source_${reading.limitSource}`);
    const d = reading.display;
    const notes = [reading.limit === null ? source : say('ofLimit', d.used, d.limit, source)];
    if (reading.lines.why) notes.push(reading.lines.why);
    if (reading.free !== null) notes.push(say('free', d.free));
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
      ['offHere', () => this.actions.off()],
      ['options', () => this.actions.options()],
    ] as const) {
      const button = document.createElement('button');
      button.textContent = say(key);
      button.addEventListener('click', action);
      row.append(button);
    }
    return row;
  }

  private open(open: boolean): void {
    this.box.classList.toggle('open', open);
    this.box.classList.toggle('closed', !open);
    this.line.setAttribute('aria-expanded', String(open));
  }

  /** Escape closes the details; arrows move the badge to another corner. Enter and space press the buttons. */
  private key(e: KeyboardEvent): void {
    const [vertical, horizontal] = this.corner.split(' ');
    const corner = {
      ArrowUp: `top ${horizontal}`,
      ArrowDown: `bottom ${horizontal}`,
      ArrowLeft: `${vertical} left`,
      ArrowRight: `${vertical} right`,
    }[e.key];
    if (e.key === 'Escape') this.open(false);
    else if (corner) {
      this.wanted = corner as Settings['corner'];
      this.place(this.wanted);
      this.actions.moved(this.wanted);
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
