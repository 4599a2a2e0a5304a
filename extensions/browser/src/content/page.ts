// Copyright The ctx-lsp authors. MIT licence.

import type { UnseenSize } from '../adapter/data';
import { type Planned, planned, unplanned } from '../adapter/plans';
import type { Site } from '../adapter/site';
import { unseenItem, unseenSize } from '../adapter/unseen';
import type { Coverage, FromPage, Shown, ToPage } from '../messages';
import type { Settings } from '../settings';
import { Badge, type BadgeActions } from './badge';
import { Ends } from './ends';
import { Field } from './field';
import { handover } from './handover';
import { Layout } from './layout';
import { Line } from './line';
import { Pace, type Puzzle } from './pace';
import { Reader, swaps } from './reader';
import { report } from './report';
import { Responses } from './responses';
import { scrolledTo } from './scroll';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

/** How long after a change of the conversation an existing badge updates its position. */
const replace = 200;

/** The turns' positions are checked this long after a change within a turn. */
const unmoved = 1000;

/** The actions in the details that do not concern this conversation alone. */
export type PageActions = Pick<BadgeActions, 'moved' | 'off' | 'options' | 'plan' | 'asked'>;

/**
 * A page: reads what has changed, sends it to the worker, and draws the result. Everything it starts ends with its
 * signal.
 */
export class Page {
  private readonly reader: Reader;
  private readonly responses: Responses;
  private readonly badge: Badge;
  private readonly line: Line;
  private readonly field: Field;
  private readonly pace: Pace;
  private readonly ends: Ends;
  private readonly layout: Layout;
  private conversation = '';
  private model: string | null = null;
  private mode: string | null = null;
  private again = false;
  private placing = 0;
  private coverage: Coverage | null = null;
  private unseen: UnseenSize | null = null;
  private planned: Planned = unplanned;
  private last: ToPage | null = null;
  /** randomUUID is missing on pages without TLS. */
  private readonly id = crypto.getRandomValues(new Uint32Array(4)).join('-');

  constructor(
    private readonly site: Site,
    private set: Settings,
    actions: PageActions,
    private readonly signal: AbortSignal,
    end: () => void,
  ) {
    this.reader = new Reader(site);
    this.responses = new Responses(site, this.reader);
    this.badge = new Badge(
      {
        ...actions,
        pieceAt: (index) => this.reader.items[index] ?? null,
        goTo: (index) => scrolledTo(this.reader.find(document, index)),
        handover: () => handover(this.reader.items, site.name, say),
        report: () => this.report(),
      },
      site,
    );
    this.line = new Line(
      (m) => this.answer(m),
      () => this.schedule(),
      () => {
        this.badge.leftOver();
        end();
      },
    );
    this.pace = new Pace(() => this.sync(), signal);
    this.field = new Field(site, () => this.draft(), signal);
    this.ends = new Ends(this.reader, () => this.schedule(), signal);
    this.layout = new Layout(
      (scrolled) => this.settle(!scrolled),
      (node) => this.field.holds(node) || this.badge.holds(node) || this.reader.holds(node),
      signal,
    );
    this.watch();
    this.responses.ready();
    this.sync();
  }

  settings(set: Settings): void {
    this.set = set;
    this.draw();
    this.settle(true);
    this.schedule();
  }

  /** Returns what the popup lists; null before there is a result. */
  shown(): Shown | null {
    if (!this.last) return null;
    return {
      site: this.site.name,
      title: document.title,
      reading: this.last.type === 'reading' ? this.last.reading : null,
      reason: this.last.type === 'unknown' ? this.last.reason : '',
    };
  }

  private watch(): void {
    const { signal } = this;
    const observer = new MutationObserver((records) => this.mutated(records));
    observer.observe(document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
      attributeFilter: this.site.attributes,
    });
    signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(this.placing);
      this.line.close();
      this.badge.hide();
    });
    document.addEventListener('load', (e) => this.loaded(e), { capture: true, passive: true, signal });
    window.addEventListener('pageshow', (e) => e.persisted && this.schedule(), { signal });
    window.addEventListener('message', (e) => this.received(e), { signal });
  }

  private mutated(records: MutationRecord[]): void {
    let outside = false;
    for (const r of records) {
      // Typing has its own input event, so changes inside the field do not change the conversation.
      if (this.field.holds(r.target)) continue;
      outside = true;
      this.reader.changed(r);
    }
    if (outside) this.schedule();
  }

  /** Reads an image again once it is loaded, because only then its size is known. */
  private loaded(e: Event): void {
    if (!(e.target instanceof HTMLImageElement)) return;
    this.reader.touch(e.target);
    this.schedule();
  }

  private received(e: MessageEvent): void {
    const found = this.responses.receive(e, this.conversation);
    if (!found) return;
    if (found.aside) this.draw();
    this.pace.hurry();
    this.schedule();
  }

  private schedule(): void {
    if (!this.signal.aborted) this.pace.changed(this.last?.type === 'reading');
  }

  private sync(): void {
    this.pace.starts();
    if (this.signal.aborted) return;
    const conversation = this.site.conversation(new URL(location.href));
    if (this.line.busy) {
      this.again = true;
      // Scrolling continues while the worker is busy, and turns in view now may be out of the page when it replies.
      if (conversation === this.conversation) this.reader.see(document);
      return;
    }
    this.pace.reads();
    if (conversation !== this.conversation) this.another(conversation);
    if (conversation === null) return;
    const named = this.reader.named(document);
    const model = named.model ?? this.responses.model ?? (this.site.namesNoModel ? '' : null);
    const { mode } = named;
    const unseen = unseenSize(this.site.data, mode, model ?? '');
    const seen = this.reader.read(document, (isLeast) => unseenItem(unseen, isLeast));
    if (typeof seen === 'string') {
      this.puzzle(seen);
      return;
    }
    this.pace.understood();
    const plan = planned(this.site.data, this.set.plans[this.site.id], this.responses.account, mode, model ?? '');
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
    const draft = this.field.text();
    this.place();
    this.ends.soon(this.reader.moved ? undefined : unmoved);
    const changed =
      seen.changed ||
      this.line.fresh ||
      model !== this.model ||
      mode !== this.mode ||
      draft !== this.field.sent ||
      this.last?.type !== 'reading' ||
      !same(seen.coverage, this.coverage) ||
      !same(plan, this.planned);
    if (!changed) {
      this.sendMeasured();
      return;
    }
    this.coverage = seen.coverage;
    this.model = model;
    this.mode = mode;
    this.planned = plan;
    this.unseen = unseen;
    this.field.sent = draft;
    const { from, before, items, coverage } = seen;
    this.reader.sending(seen);
    this.line.send({
      type: 'sync',
      site: this.site.id,
      provider: this.site.provider,
      conversation,
      page: this.id,
      model,
      from,
      before,
      items,
      draft,
      coverage,
      planned: plan,
      pointed: this.site.data.pointed === true,
    });
  }

  private another(conversation: string | null): void {
    const named = this.conversation === 'new' && conversation !== null;
    this.conversation = conversation ?? '';
    this.reader.conversation(named, conversation === 'new');
    this.responses.conversation(this.conversation, named);
    this.field.sent = '';
    this.pace.understood();
    this.badge.another();
    // Two conversations may begin alike, so turns that were attributed to the previous one are checked again.
    window.setTimeout(() => this.schedule(), swaps + 1);
    this.leave();
  }

  /** Shows nothing while there is no readable conversation. */
  private leave(): void {
    if (this.last) this.line.send({ type: 'gone' });
    this.last = null;
    this.badge.hide();
  }

  /** Gives an unreadable page time to become readable. After that the number is unknown, whatever was shown before. */
  private puzzle(why: Puzzle): void {
    if (!this.pace.givesUp(why, () => this.schedule())) return;
    if (this.last?.type === 'reading') this.line.send({ type: 'gone' });
    this.last = {
      type: 'unknown',
      reason: say(why === 'tooLong' ? 'messageTooLong' : 'pageChanged'),
    };
    this.draw();
  }

  private draft(): void {
    if (this.signal.aborted || this.last?.type !== 'reading') return;
    if (this.line.busy || this.line.fresh) {
      this.again = true;
      if (!this.line.busy) this.schedule();
      return;
    }
    const text = this.field.text();
    if (text === this.field.sent) return;
    this.field.sent = text;
    this.line.send({ type: 'draft', text });
  }

  private sendMeasured(): void {
    // The answer that a measurement belongs to may still have to be read and sent.
    if (this.pace.waits || this.line.busy || this.line.fresh || this.last?.type !== 'reading') return;
    const measured: FromPage | null = this.responses.next();
    if (measured) this.line.send(measured);
  }

  private answer(m: ToPage): void {
    if (this.signal.aborted) return;
    if (m.type === 'have') {
      this.reader.worker(m.digests);
      this.pace.hurry();
      this.again = false;
      this.sync();
      return;
    }
    this.last = m;
    this.draw();
    if (m.type === 'reading' && m.crossed) this.badge.announce(m.reading);
    if (this.again) {
      this.again = false;
      this.schedule();
    } else this.sendMeasured();
  }

  private draw(): void {
    // An empty page has nothing to show yet.
    const empty = this.last?.type === 'reading' && this.coverage?.read === 0 && this.field.sent === '';
    if (!this.last || empty) {
      this.badge.hide();
      return;
    }
    let placed = this.badge.shown;
    if (this.last.type === 'reading') {
      const { reading, passes } = this.last;
      this.badge.show(
        {
          reading,
          coverage: this.coverage,
          site: this.site.data,
          plan: this.planned,
          unseen: this.unseen,
          aside: this.responses.aside,
          limitsFrom: this.set.limitsFrom,
        },
        this.set,
      );
      if (this.badge.beforeSending(passes, reading, this.set)) placed = false;
    } else if (this.last.type === 'unknown') this.badge.unknown(this.last.reason, this.set);
    if (placed) this.place();
    else this.settle(true);
  }

  /** Schedules a search for the badge's place, because it forces a layout, which no keystroke should wait for. */
  private place(): void {
    this.placing ||= window.setTimeout(() => {
      this.placing = 0;
      this.settle(false);
    }, replace);
  }

  /** Moves the badge so that it covers nothing, and watches the elements that its place depends on. */
  private settle(changed: boolean): void {
    const on = this.badge.avoid(this.field.element, changed);
    if (on) this.layout.watch(on);
  }

  private report(): string {
    const { coverage, planned, model, mode, last, reader, responses } = this;
    const reading = last?.type === 'reading' ? last.reading : null;
    const { version } = chrome.runtime.getManifest();
    const site = this.site.data;
    return report(document, {
      site,
      version,
      reading,
      coverage,
      planned,
      model,
      mode,
      items: reader.items,
      responses: responses.counts,
    });
  }
}
