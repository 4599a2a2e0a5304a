// Copyright The ctx-lsp authors. MIT licence.

import { oldDay } from '../adapter/age';
import type { SiteData, UnseenSize } from '../adapter/data';
import type { Planned } from '../adapter/plans';
import { type Aside, type Coverage, isPart, type PageItem, type ShownReading } from '../messages';
import { copied } from './clipboard';
import { covered } from './covered';
import { rowsOf, stackedBar } from './details';
import { largestRows } from './largest';
import { limitRows } from './limits';
import { numbersOf } from './numbers';
import { atTheEnd, planQuestion, windowSource } from './plan';
import type { Say } from './say';
import { facts, sums } from './words';

/** The data that the details show. */
export interface View {
  reading: ShownReading;
  coverage: Coverage | null;
  site: SiteData;
  plan: Planned;
  /** The hidden part of the site's prompts. */
  unseen: UnseenSize | null;
  aside: Aside;
  /** The site's limits are shown from this percentage. */
  limitsFrom: number;
}

/** The actions that the details offer to the user. */
export interface PanelActions {
  options(): void;
  hide(): void;
  plan(id: string): void;
  pieceAt(index: number): PageItem | null;
  /** Scrolls a message into view; returns false if it is not in the page. */
  goTo(index: number): boolean;
  handover(): string;
  report(): string;
}

/**
 * The details of the badge, section by section. They are drawn only while they are open, and only sections that have
 * changed.
 */
export class Panel {
  readonly element = document.createElement('div');
  private readonly sections = new Map<string, HTMLElement>();
  private readonly drawn = new Map<string, string>();
  private readonly status = document.createElement('p');
  private view: View | string = '';
  private open = false;
  private clock = 0;

  constructor(
    name: string,
    private readonly actions: PanelActions,
    private readonly say: Say,
  ) {
    this.element.className = 'panel';
    this.element.id = 'panel';
    this.element.setAttribute('role', 'region');
    this.element.setAttribute('aria-label', say('detailsOf', name));
    // The keyboard scrolls the focused element.
    this.element.tabIndex = -1;
    for (const section of ['head', 'ask', 'missing', 'fills', 'window', 'limits'] as const)
      this.add(section, document.createElement('div'));
    for (const [section, title] of [
      ['largest', 'largest'],
      ['more', 'howKnown'],
    ] as const) {
      const fold = document.createElement('details');
      const summary = document.createElement('summary');
      summary.textContent = say(title);
      const inside = document.createElement('div');
      fold.append(summary, inside);
      this.sections.set(section, inside);
      this.element.append(fold);
    }
    this.status.className = 'status';
    this.status.setAttribute('role', 'status');
    this.element.append(this.buttons(), this.status);
  }

  /** Shows a Reading, or a message that explains why there is none. */
  show(view: View | string): void {
    this.view = view;
    if (this.open) this.draw();
  }

  toggle(open: boolean): void {
    this.open = open;
    this.status.textContent = '';
    clearInterval(this.clock);
    if (!open) return;
    this.draw();
    // Limits reset and caches expire while the details are open.
    this.clock = window.setInterval(() => (this.element.isConnected ? this.draw() : clearInterval(this.clock)), 20_000);
  }

  private draw(): void {
    const { view, say } = this;
    for (const fold of this.element.querySelectorAll<HTMLElement>('details')) fold.hidden = typeof view === 'string';
    if (typeof view === 'string') {
      this.section('head', view, () => [note(view)]);
      for (const other of ['ask', 'missing', 'fills', 'window', 'limits']) this.section(other, '', () => []);
      return;
    }
    const { reading, coverage, site, plan, aside, limitsFrom } = view;
    const now = Date.now();
    this.section('head', [site.name, reading.display], () => [this.head(site, reading)]);
    this.section('ask', [site.id, plan.lacks], () => {
      if (plan.lacks === 'plan') return [planQuestion(site, say, (id) => this.actions.plan(id))];
      return plan.lacks === 'mode' ? [note(say('modeUnknown', site.name))] : [];
    });
    const missing = [...(coverage ? covered(coverage, say) : []), ...this.hidden(view)];
    this.section('missing', missing, () => missing.map((m) => note(m, 'note missing')));
    const files = reading.largest.filter((l) => l.what === 'file').map((l) => this.file(l));
    this.section('fills', [reading.breakdown, reading.used, reading.limit, files, reading.lines], () => [
      stackedBar(reading),
      rowsOf(reading, sums(reading, reading.lines.sign, say), say, files),
    ]);
    const window = this.windowNotes(view);
    this.section('window', window, () => window.map((n) => note(n)));
    const warm = cacheNote(site, aside, now, say);
    this.section('limits', [aside.limits, limitsFrom, warm], () => [
      ...limitRows(aside.limits, limitsFrom, now, say),
      ...(warm ? [note(warm)] : []),
    ]);
    this.section('largest', reading.largest, () =>
      largestRows(
        reading.largest,
        (i) => this.actions.pieceAt(i),
        (i) => this.goTo(i),
        say,
      ),
    );
    const known = this.known(reading);
    this.section('more', known, () => known.map((n) => note(n)));
  }

  private head(site: SiteData, reading: ShownReading): HTMLElement {
    const head = document.createElement('p');
    head.className = 'head';
    const name = document.createElement('b');
    name.textContent = site.name;
    const d = reading.display;
    const sum = document.createElement('span');
    const used = reading.lines.sign + d.used;
    sum.textContent = reading.limit === null ? this.say('tokensUsed', used) : this.say('tokensOf', used, d.limit);
    head.append(name, ' ', sum);
    return head;
  }

  private file(large: ShownReading['largest'][number]): { kind: string; name: string; tokens: number; basis: string } {
    const { kind, tokens, basis, index } = large;
    return { kind, tokens, basis, name: this.actions.pieceAt(index)?.file ?? this.say('aFile') };
  }

  /** Returns the source of the window, and what happens when it is full. */
  private windowNotes({ reading, site, plan }: View): string[] {
    // If the window depends on something unknown, the section above explains it.
    const source = plan.lacks && reading.limit === null ? [] : [windowSource(reading, site, plan, this.say)];
    const model = reading.model ? [reading.model] : [];
    const old = oldDay(site, Date.now());
    const turns = reading.lastRequest && reading.compaction.turnsLeft;
    return [
      ...([...model, ...source].length > 0 ? [[...model, ...source].join(' · ')] : []),
      ...(plan.other ? [this.say('planDiffers', plan.other)] : []),
      ...(old ? [this.say('dataOld', site.name, numbersOf(this.say).date(old))] : []),
      ...atTheEnd(site, this.say),
      ...(reading.lines.why ? [reading.lines.why] : []),
      // The growth of a chat is known only after a measurement; before that, the pace would be that of a coding agent.
      ...(turns ? [this.say('turnsLeft', String(turns.low), String(turns.high))] : []),
    ];
  }

  /** Returns how the number is known. */
  private known(reading: ShownReading): string[] {
    const out = facts(reading, this.say);
    if (reading.reported.usage) out.unshift(this.say('reportedUsage'));
    if (!reading.lastRequest && reading.mode !== 'provider') out.push(this.say('estimated'));
    return [...out, this.say('signs')];
  }

  /**
   * Returns a sentence about the hidden part of an unmeasured number, with its sizes; nothing once there is a
   * measurement.
   */
  private hidden({ reading, coverage, site, unseen }: View): string[] {
    if (!unseen || !site.unseen || reading.lastRequest || reading.mode === 'provider') return [];
    const { tokens, date } = numbersOf(this.say);
    const [least, usual, most] = [unseen.least, unseen.usual, unseen.most ?? 0].map(tokens) as [string, string, string];
    const isLeast = coverage !== null && isPart(coverage);
    const sizes = isLeast
      ? this.say('unseenLeast', site.name, least, usual)
      : this.say('unseenUsual', site.name, usual, least);
    const known = unseen.most === null ? 'unseenDay' : 'unseenMost';
    return [`${sizes} ${this.say(known, date(site.unseen.asOf), most)}`];
  }

  private goTo(index: number): void {
    this.status.textContent = this.actions.goTo(index) ? '' : this.say('notInPage');
  }

  private buttons(): HTMLElement {
    const row = document.createElement('div');
    row.className = 'actions';
    for (const [key, action] of [
      ['copyHandover', () => void this.copy(this.actions.handover(), 'handoverCopied')],
      ['copyReport', () => void this.copy(this.actions.report(), 'reportCopied')],
      ['options', () => this.actions.options()],
      ['offHere', () => this.actions.hide()],
    ] as const) {
      const button = document.createElement('button');
      button.textContent = this.say(key);
      button.addEventListener('click', action);
      row.append(button);
    }
    return row;
  }

  private async copy(text: string, done: string): Promise<void> {
    this.status.textContent = this.say((await copied(text, this.element)) ? done : 'notCopied');
    this.status.scrollIntoView?.({ block: 'nearest' });
  }

  private add(section: string, element: HTMLElement): void {
    element.className = `at-${section}`;
    this.sections.set(section, element);
    this.element.append(element);
  }

  /** Draws a section if its data has changed. A focused element in it stays focused. */
  private section(name: string, from: unknown, make: () => HTMLElement[]): void {
    const made = JSON.stringify(from);
    if (this.drawn.get(name) === made) return;
    this.drawn.set(name, made);
    const element = this.sections.get(name)!;
    const root = this.element.getRootNode() as ShadowRoot;
    const focused = root.activeElement as HTMLElement | null;
    const key = focused && element.contains(focused) ? focused.dataset.key : undefined;
    element.replaceChildren(...make());
    if (key) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }
}

/** Returns until when the site may keep the last answer's prompt; empty if it does not, or if that is unknown. */
function cacheNote({ cacheMinutes }: SiteData, { answered }: Aside, now: number, say: Say): string {
  if (!cacheMinutes || answered === null) return '';
  const [least, most] = [cacheMinutes.least, cacheMinutes.most].map((m) => answered + m * 60_000) as [number, number];
  const { time } = numbersOf(say);
  if (now < least) return say('cacheWarm', time(least, now), time(most, now));
  return now < most ? say('cachePerhaps', time(most, now)) : '';
}

function note(text: string, name = 'note'): HTMLElement {
  const p = document.createElement('p');
  p.className = name;
  p.textContent = text;
  return p;
}
