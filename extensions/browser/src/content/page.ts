// Copyright The ctx-lsp authors. MIT licence.

import type { Aside, Coverage, FromPage, Shown, ToPage } from '../messages';
import type { Settings } from '../settings';
import { modelNamed } from '../sites/models';
import { type Account, type Planned, planned } from '../sites/plans';
import { type Site, typed } from '../sites/site';
import { unseenItem } from '../sites/unseen';
import { Ear, type Told } from '../traffic/ear';
import type { Loaded } from '../traffic/loaded';
import { extended } from '../traffic/merge';
import { Badge, type BadgeActions } from './badge';
import { handover } from './handover';
import { Line } from './line';
import { Reader } from './reader';
import { report } from './report';
import { scrolledTo } from './scroll';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

/**
 * The first change of a page is read at once. While the page goes on changing, it is read when it has been quiet for so
 * long.
 */
const settle = 80;
const atMost = 250;

/** A badge that is there looks for its place so long after a change. */
const replace = 200;

/** How long a page may be unreadable, too long or without messages while it is being built or rebuilt. */
const patience = { unknown: 1500, tooLong: 0, empty: 6000 };

/** So many conversations that the page has loaded are remembered: it may load one before its address says so. */
const mostLoaded = 3;

/** So many models' windows are remembered, as a page may list others again and again. */
const mostWindows = 1000;

/** What the person can do in the details that is not about this conversation alone. */
export type PageActions = Pick<BadgeActions, 'moved' | 'off' | 'options' | 'plan'>;

/**
 * One page: this reads what has changed, sends it to the worker, and draws the answer. Everything that it starts ends
 * with its signal.
 */
export class Page {
  private readonly reader: Reader;
  private readonly badge: Badge;
  private readonly line: Line;
  private conversation = '';
  private model: string | null = null;
  private mode = '';
  private drafted = '';
  private timer = 0;
  private since = 0;
  private read = -Infinity;
  private puzzled = 0;
  private patience = 0;
  private again = false;
  private placing = 0;
  private drafting = false;
  private coverage: Coverage | null = null;
  private readonly account: Account = { windows: {}, plan: [] };
  private planned: Planned = { window: null, plan: '', asks: false };
  /** Pages without a certificate have no randomUUID. */
  private readonly id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  private readonly ear: Ear;
  private readonly conversations = new Map<string, Loaded>();
  /** What was measured waits until the worker has the answer that it was measured with. */
  private measured: { said: FromPage; with: string | undefined }[] = [];
  /** The model that answers, where only the server names it. */
  private named: string | null = null;
  private last: ToPage | null = null;
  private readonly aside: Aside = { limits: [], answered: null };
  private readonly started = performance.now();
  private field: HTMLElement | null = null;

  constructor(
    private readonly site: Site,
    private set: Settings,
    actions: PageActions,
    private readonly signal: AbortSignal,
    end: () => void,
  ) {
    this.reader = new Reader(site);
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
    this.ear = new Ear(site.data.answers, location.origin, (url) => site.conversation(url));
    this.line = new Line(
      (m) => this.answer(m),
      () => this.schedule(),
      () => {
        this.badge.leftOver();
        end();
      },
    );
    const observer = new MutationObserver((records) => this.mutated(records));
    observer.observe(document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
      attributeFilter: site.attributes,
    });
    signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(this.timer);
      clearTimeout(this.patience);
      clearTimeout(this.placing);
      this.line.close();
      this.badge.hide();
    });
    document.addEventListener('input', (e) => this.input(e), { capture: true, passive: true, signal });
    document.addEventListener('load', (e) => this.loaded(e), { capture: true, passive: true, signal });
    window.addEventListener('resize', () => this.badge.avoid(this.field), { passive: true, signal });
    window.addEventListener('pageshow', (e) => e.persisted && this.schedule(), { signal });
    window.addEventListener('message', (e) => this.said(e), { signal });
    const answers = site.data.answers.map(({ path, anywhere }) => ({ path, anywhere }));
    window.postMessage({ ctxLspReady: answers }, location.origin);
    this.sync();
  }

  settings(set: Settings): void {
    this.set = set;
    this.draw();
    this.badge.avoid(this.field);
    this.schedule();
  }

  /** What the popup lists. */
  shown(): Shown | null {
    if (!this.last) return null;
    return {
      site: this.site.name,
      title: document.title,
      reading: this.last.type === 'reading' ? this.last.reading : null,
      reason: this.last.type === 'unknown' ? this.last.reason : '',
    };
  }

  private mutated(records: MutationRecord[]): void {
    let outside = false;
    for (const r of records) {
      // Typing is noticed by the input event, so changes inside the field are no change of the conversation.
      if (this.field?.contains(r.target)) continue;
      outside = true;
      this.reader.touch(r.target);
    }
    if (outside) this.schedule();
  }

  /** An image has a size once it is loaded. */
  private loaded(e: Event): void {
    if (!(e.target instanceof HTMLImageElement)) return;
    this.reader.touch(e.target);
    this.schedule();
  }

  private schedule(): void {
    if (this.signal.aborted) return;
    const now = performance.now();
    if (this.timer) {
      if (now - this.since > atMost) return;
      clearTimeout(this.timer);
    } else this.since = now;
    // Until there is a badge, waiting gains nothing.
    const wait = this.last?.type !== 'reading' || now - this.read > atMost ? 0 : settle;
    this.timer = window.setTimeout(() => this.sync(), wait);
  }

  private sync(): void {
    this.timer = 0;
    if (this.signal.aborted) return;
    const conversation = this.site.conversation(new URL(location.href));
    if (this.line.busy) {
      this.again = true;
      // Somebody who scrolls does not wait for the worker: what is shown now may be gone when it has answered.
      if (conversation === this.conversation) this.reader.see(document);
      return;
    }
    this.read = performance.now();
    if (conversation !== this.conversation) {
      const named = this.conversation === 'new' && conversation !== null;
      this.reader.conversation(named);
      this.conversation = conversation ?? '';
      const loaded = this.conversations.get(this.conversation);
      if (loaded) this.reader.load(loaded);
      this.measured = [];
      if (!named) this.named = null;
      if (this.conversation === '' || !named) this.aside.answered = null;
      this.drafted = '';
      this.puzzled = 0;
      this.badge.another();
      this.leave();
    }
    if (conversation === null) return;
    const model = this.site.model(document) ?? this.named;
    const mode = this.site.mode(document);
    const seen = this.reader.read(document, unseenItem(this.site.data, mode, model ?? ''));
    if (typeof seen === 'string') {
      this.puzzle(seen);
      return;
    }
    this.puzzled = 0;
    const plan = planned(this.site.data, this.set.plans[this.site.id], this.account, mode, model ?? '');
    const covered = JSON.stringify(seen.coverage) === JSON.stringify(this.coverage);
    const draft = this.draftText();
    this.place();
    if (
      !seen.changed &&
      covered &&
      !this.line.fresh &&
      model === this.model &&
      mode === this.mode &&
      JSON.stringify(plan) === JSON.stringify(this.planned) &&
      draft === this.drafted &&
      this.last?.type === 'reading'
    ) {
      this.tellMeasured();
      return;
    }
    this.coverage = seen.coverage;
    this.model = model;
    this.mode = mode;
    this.planned = plan;
    this.drafted = draft;
    const { from, before, items } = seen;
    this.reader.sending(seen);
    this.line.send({
      type: 'sync',
      site: this.site.id,
      provider: this.site.provider,
      conversation,
      page: this.id,
      model,
      mode,
      from,
      before,
      items,
      draft,
      coverage: seen.coverage,
      planned: plan,
    });
  }

  /** Shows nothing while there is no conversation, or none that can be read. */
  private leave(): void {
    if (this.last) this.send({ type: 'gone' });
    this.last = null;
    this.badge.hide();
  }

  /**
   * A page that cannot be read is given time to become readable. After that the number is unknown, whatever was shown
   * before.
   */
  private puzzle(why: keyof typeof patience): void {
    const now = performance.now();
    this.puzzled ||= now;
    const left = this.puzzled + patience[why] - now;
    if (left > 0) {
      // The page is looked at again then, if nothing happens on it before.
      this.patience ||= window.setTimeout(() => {
        this.patience = 0;
        this.schedule();
      }, left);
      return;
    }
    if (this.last?.type === 'reading') this.send({ type: 'gone' });
    this.last = {
      type: 'unknown',
      reason: say(why === 'tooLong' ? 'messageTooLong' : 'pageChanged'),
    };
    this.draw();
  }

  /** A keystroke only notes that there was one. The text is read when the browser has time. */
  private input(e: Event): void {
    if (this.drafting || !(e.target instanceof Node)) return;
    this.drafting = true;
    requestIdleCallback(() => this.draft(), { timeout: 200 });
  }

  private draft(): void {
    this.drafting = false;
    if (this.signal.aborted || this.last?.type !== 'reading') return;
    if (this.line.busy || this.line.fresh) {
      this.again = true;
      if (!this.line.busy) this.schedule();
      return;
    }
    const text = this.draftText();
    if (text === this.drafted) return;
    this.drafted = text;
    this.line.send({ type: 'draft', text });
  }

  private draftText(): string {
    if (!this.field?.isConnected) this.field = this.site.draft(document);
    return this.field ? typed(this.field).slice(0, 1_000_000) : '';
  }

  private said(e: MessageEvent): void {
    if (e.source !== window || e.origin !== location.origin) return;
    const told = this.ear.hear(e.data, performance.now());
    if (told) this.told(told);
  }

  /** Takes what the site's server has told: the page's own requests carry it, and none is made for it. */
  private told(told: Told): void {
    const { conversation, loaded, answer, usage, measuredWith, model, refused, limits, windows, plan } = told;
    if (windows)
      this.account.windows = Object.fromEntries(
        Object.entries({ ...this.account.windows, ...windows }).slice(-mostWindows),
      );
    if (plan) this.account.plan = plan;
    // What the site allows is the account's, in whichever conversation it was told.
    if (limits) this.aside.limits = limits;
    if (loaded) {
      const now = extended(this.conversations.get(loaded.conversation), loaded);
      this.conversations.delete(loaded.conversation);
      this.conversations.set(loaded.conversation, now);
      for (const old of this.conversations.keys())
        if (this.conversations.size > mostLoaded) this.conversations.delete(old);
      if (loaded.conversation === this.conversation) this.reader.load(now);
    }
    if (answer && (conversation === null || conversation === this.conversation || this.conversation === 'new'))
      this.answered(answer);
    // What was measured counts for the conversation that is shown, and for no other.
    if (conversation !== null && conversation === this.conversation) {
      for (const u of usage ?? []) this.measured.push({ said: { type: 'usage', ...u }, with: measuredWith });
      if (refused) this.measured.push({ said: { type: 'refused', ...refused }, with: undefined });
      if (model) this.named = modelNamed('id', model, true);
      this.measured = this.measured.slice(-8);
    }
    if (limits || answer) this.draw();
    this.read = -Infinity;
    this.schedule();
  }

  private answered(answer: NonNullable<Told['answer']>): void {
    this.reader.answered(answer);
    // What comes in the first moment was said before this script was here, and nobody knows when.
    if (performance.now() - this.started > 1000) this.aside.answered = Date.now();
  }

  private tellMeasured(): void {
    // What it was measured with may still have to be read and sent.
    if (this.timer || this.line.busy || this.line.fresh || this.last?.type !== 'reading') return;
    const next = this.measured.findIndex((m) => m.with === undefined || this.reader.endsWith(m.with));
    // What was measured before that, with an answer that is not the last one any more, says nothing now.
    if (next >= 0) this.send(this.measured.splice(0, next + 1).at(-1)!.said);
  }

  private send(m: FromPage): void {
    this.line.send(m);
  }

  private answer(m: ToPage): void {
    if (this.signal.aborted) return;
    if (m.type === 'have') {
      this.reader.worker(m.digests);
      this.read = -Infinity;
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
    } else this.tellMeasured();
  }

  private draw(): void {
    // On an empty page there is nothing to say yet.
    const empty = this.last?.type === 'reading' && this.coverage?.read === 0 && this.drafted === '';
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
          aside: this.aside,
          limitsFrom: this.set.limitsFrom,
        },
        this.set,
      );
      if (this.badge.beforeSending(passes, reading, this.set)) placed = false;
    } else if (this.last.type === 'unknown') this.badge.unknown(this.last.reason, this.set);
    if (placed) this.place();
    else this.badge.avoid(this.field);
  }

  /** Looks for the badge's place soon: the browser lays the page out for it, which no keystroke should wait for. */
  private place(): void {
    this.placing ||= window.setTimeout(() => {
      this.placing = 0;
      this.badge.avoid(this.field);
    }, replace);
  }

  private report(): string {
    const { coverage, planned, model, last, reader } = this;
    const reading = last?.type === 'reading' ? last.reading : null;
    const { version } = chrome.runtime.getManifest();
    const site = this.site.data;
    const heard = [...this.ear.heard];
    return report(document, { site, version, reading, coverage, planned, model, items: reader.items, heard });
  }
}
