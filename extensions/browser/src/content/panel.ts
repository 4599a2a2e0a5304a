// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';
import { copied } from './clipboard';
import { limitRows } from './limits';
import { planQuestion } from './plan';
import { el, fullness, largest, rowsOf, sentence, stackedBar, table } from './rows';
import type { Say } from './say';
import { cacheRows, knownRows, missingRows, type View, windowRows } from './siteRows';

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
    const { reading, site, plan, aside, limitsFrom } = view;
    const { sign } = reading.lines;
    const now = Date.now();
    const of = (id: string) => rowsOf(reading.panel, id);
    const window = of('window');
    const full = fullness(window, sign, say);
    this.section('head', full, () => [this.head(site.name, full)]);
    this.section('ask', [site.id, plan.lacks], () => {
      if (plan.lacks === 'plan') return [planQuestion(site, say, (id) => this.actions.plan(id))];
      return plan.lacks === 'mode' ? [note(say('modeUnknown', site.name))] : [];
    });
    this.notes('missing', missingRows(view, say), 'note missing');
    const contents = of('contents');
    this.section('fills', [contents, sign], () => [stackedBar(contents), table(contents, sign, say)]);
    const rest = window.filter(({ id }) => id !== 'usage' && id !== 'full').map((row) => sentence(row, say));
    this.notes('window', [...windowRows(view, now, say), ...rest]);
    const warm = cacheRows(view, now, say);
    this.section('limits', [aside.limits, limitsFrom, warm], () => [
      ...limitRows(aside.limits, limitsFrom, now, say),
      ...warm.map((text) => note(text)),
    ]);
    this.section('largest', of('largest'), () =>
      largest(of('largest'), reading.largest, this.actions.pieceAt, (i) => this.goTo(i), say),
    );
    const known = [...of('numbers'), ...of('warnings')].map((row) => sentence(row, say));
    this.notes('more', [...known, ...knownRows(view, say)]);
  }

  private head(name: string, full: string): HTMLElement {
    const head = document.createElement('p');
    head.className = 'head';
    head.append(el('b', name), ' ', el('span', full));
    return head;
  }

  private notes(name: string, texts: readonly string[], kind = 'note'): void {
    this.section(name, texts, () => texts.map((text) => note(text, kind)));
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

function note(text: string, name = 'note'): HTMLElement {
  const p = el('p', text);
  p.className = name;
  return p;
}
