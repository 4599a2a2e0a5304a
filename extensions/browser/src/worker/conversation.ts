// Copyright The ctx-lsp authors. MIT licence.

import type { Core } from '../../../../wasm/js/ctx.js';
import { type Call, type ChangingMethod, Journal } from '../../../../wasm/js/journal.js';
import type { Item, Ledger, Reading, UpdateParams } from '../../../../wasm/js/types';
import type { Planned } from '../adapter/plans';
import { chain, isPart, type PageItem, type Passes, type Reported, type Sync } from '../messages';
import type { Settings } from '../settings';

/** The state of a conversation that is kept when the worker is stopped: digests and the ledger, but no text. */
export interface Saved {
  site: string;
  provider: string;
  conversation: string;
  tab: number;
  /** The load of the page that a measurement comes from; empty if there is none. */
  page: string;
  model: string;
  digests: number[];
  /** The size of the hidden part; null if the first item is a message. */
  unseen: number | null;
  /** The state of `ctx/crossing`, for the next Reading. */
  crossings: string;
  ledger: Ledger;
  at: number;
}

/** How much text one call contains; the core accepts 16 MB. */
const perCall = 2_000_000;

/** An upper bound of all windows. */
const mostTokens = 20_000_000;

/** A conversation that a tab shows, as a session of the core. With its journal, it survives a crash of the core. */
export class Conversation {
  private digests: number[] = [];
  private measured = false;
  /** Whether the user pointed at the page, so that its reports are trusted. */
  private pointed = false;
  /** Whether a part of the conversation was not read. A measurement includes it anyway. */
  private partly = false;
  /** The size of what the page shows, counted without any measurement; `answered` is its size at the last answer. */
  private visible = 0;
  /** The size of the first item if it is the hidden part, which proves nothing about a measurement. */
  private unseen: number | null = null;
  private answered = 0;
  private fresh = 0;
  /** The Reading of the conversation without its draft. */
  private sent: Reading | null = null;
  /** The load of the page that a measurement comes from. */
  private measuredFor = '';
  private page = '';
  private crossings = '';
  /** Whether the page's own report of a refusal gave the window. */
  private refusedWindow = false;
  /** Whether the core was told that the window depends on something unknown. */
  private withheld = false;
  private journal: Journal;
  private readonly call: Call = (method, params) => this.core.call(method, params as never);

  private constructor(
    private core: Core,
    readonly id: string,
    readonly site: string,
    readonly conversation: string,
    private readonly provider: string,
    private model: string,
    private readonly tab: { id: number; secret: boolean },
    private settings: Settings,
    private planned: Planned,
  ) {
    this.journal = new Journal({
      id,
      ...(model && { model }),
      ...(provider && { provider }),
      route: 'chat',
      mode: settings.mode,
      ...this.limits(),
    });
  }

  static async open(
    core: Core,
    id: string,
    tab: { id: number; secret: boolean },
    sync: Sync,
    settings: Settings,
  ): Promise<Conversation> {
    const { site, conversation, provider, model } = sync;
    const made = new Conversation(core, id, site, conversation, provider, model ?? '', tab, settings, sync.planned);
    made.pointed = sync.pointed;
    await made.reopen();
    return made;
  }

  /** Restores a stored conversation, or copies one that another tab shows. */
  static async restore(
    core: Core,
    id: string,
    tab: { id: number; secret: boolean },
    sync: Sync,
    saved: Saved,
    settings: Settings,
  ): Promise<Conversation> {
    const { provider, model, digests, ledger } = saved;
    const made = new Conversation(core, id, sync.site, sync.conversation, provider, model, tab, settings, sync.planned);
    made.journal = Journal.from(id, ledger);
    made.pointed = sync.pointed;
    made.digests = digests;
    made.unseen = saved.unseen;
    made.crossings = saved.crossings;
    made.measuredFor = saved.page;
    await made.reopen();
    await made.update({ ...made.limits(), mode: settings.mode });
    return made;
  }

  /** Continues in another core after its own has crashed. */
  async moveTo(core: Core): Promise<void> {
    this.core = core;
    await this.reopen();
  }

  /** Whether it is in a private window, which is never stored. */
  get secret(): boolean {
    return this.tab.secret;
  }

  get has(): number[] {
    return this.digests;
  }

  /** Whether the number is a lower bound. */
  get part(): boolean {
    return this.partly && !this.measured;
  }

  /** Returns which parts of a Reading rely on the page's own report. */
  reported({ lastRequest }: Reading): Reported {
    return { usage: lastRequest !== null && !this.pointed, window: this.onlyReported };
  }

  private get onlyReported(): boolean {
    const planned = this.planned.reported !== '' && this.ownWindow() === undefined;
    return (this.refusedWindow || planned) && !this.pointed;
  }

  /**
   * Whether the window depends on an unknown plan or mode; a window that the user has set is known. A part of a window
   * that was only reported is not a lower bound of anything, so that window is unknown, too.
   */
  private get windowless(): boolean {
    return (this.planned.lacks !== '' && this.ownWindow() === undefined) || (this.part && this.onlyReported);
  }

  /** Whether something has changed since the conversation was last stored. */
  get dirty(): boolean {
    return this.journal.unsaved > 0;
  }

  /**
   * Reports whether everything must be recounted, because another model counts differently and no measurement would be
   * lost.
   */
  recounts(sync: Sync): boolean {
    return sync.model !== null && sync.model !== this.model && this.digests.length > 0 && !this.measured;
  }

  /** Applies the page's changes. Returns null if page and worker do not agree on the items before them. */
  async sync(sync: Sync): Promise<Reading | null> {
    if (!follows(this.digests, sync)) return null;
    this.partly = isPart(sync.coverage);
    this.page = sync.page;
    let at = sync.from;
    let items = sync.items;
    const replace: NonNullable<UpdateParams['replace']> = [];
    if (at === 0) {
      const unseen = items[0]?.tokens ?? null;
      // The hidden part has another size while the number is a lower bound; everything after it stays.
      if (unseen !== null && this.unseen !== null && unseen !== this.unseen) {
        replace.push({ index: 0, item: item(items[0]!) });
        this.digests = [items[0]!.digest, ...this.digests.slice(1)];
      }
      this.unseen = unseen;
    }
    // Items that are already here stay, with their measurements.
    while (items.length > 0 && items[0]!.digest === this.digests[at]) {
      items = items.slice(1);
      at++;
    }
    const other = sync.model !== null && sync.model !== this.model;
    if (other) this.model = sync.model!;
    const changed = other || sync.planned.window !== this.planned.window;
    this.planned = sync.planned;
    const first: Omit<UpdateParams, 'id'> = {
      draft: null,
      at: Date.now(),
      ...(changed && { model: this.model, ...this.limits() }),
    };
    const grown = items.length === 1 && this.digests.length === at + 1;
    if (grown) replace.push({ index: at, item: item(items[0]!) });
    else if (this.digests.length > at) first.removeFrom = at;
    if (replace.length > 0) first.replace = replace;
    const [piece, ...more] = batches(items);
    let reading = await this.update({ ...first, ...(piece && !grown && { append: piece.map(item) }) });
    this.digests = [...this.digests.slice(0, at), ...(piece ?? []).map((i) => i.digest)];
    // After each batch the digests match the session: a batch that fails is the first to be sent again.
    for (const piece of more) {
      reading = await this.update({ append: piece.map(item) });
      this.digests.push(...piece.map((i) => i.digest));
    }
    reading = await this.settled(reading);
    this.sent = reading;
    if (sync.draft !== '') reading = await this.draft(sync.draft);
    this.weigh(reading, items[items.length - 1]?.kind);
    return reading;
  }

  /**
   * Records the size of what the page shows, without any measurement, so that a measurement can be compared with it.
   */
  private weigh(reading: Reading, last: PageItem['kind'] | undefined): void {
    if (!reading.lastRequest) this.visible = Math.max(0, reading.used - (this.unseen ?? 0));
    else this.visible = Math.min(reading.used, this.visible + Math.max(0, reading.new.tokens - this.fresh));
    this.fresh = reading.lastRequest ? reading.new.tokens : 0;
    if (last === 'assistant') this.answered = this.visible;
  }

  async draft(text: string): Promise<Reading> {
    const reading = await this.update({ draft: text === '' ? null : text, at: Date.now() });
    if (text === '') this.sent = reading;
    return reading;
  }

  /**
   * Returns the limit that a Reading with the draft passes, but the conversation without it did not; null if there is
   * none.
   */
  passes({ limit, free, compaction }: Reading): Passes | null {
    if (limit === null || !this.sent) return null;
    const within = (free: number | null): boolean => free === null || free >= 0;
    if (!within(free) && within(this.sent.free)) return 'window';
    return compaction.reached && !this.sent.compaction.reached && within(free) ? 'threshold' : null;
  }

  /**
   * Adds usage that the page's own responses contained. Anything that is not usage or cannot be true is refused and
   * changes nothing.
   */
  usage(usage: object, provider = this.provider, whole = false): Promise<Reading> {
    const through = whole ? this.digests.length : 0;
    return this.trial('ctx/session/usage', {
      usage,
      ...(provider && { provider }),
      ...(through && { through }),
      ...(!this.pointed && { reported: true }),
    });
  }

  /** Adds a refusal that the page received. The core learns from refusals that concern the window. */
  refused(error: object, status: number): Promise<Reading> {
    // Nothing is known that the report of an untrusted page could be compared with.
    if (this.withheld && !this.pointed) return this.core.call('ctx/session/reading', { id: this.id });
    return this.trial('ctx/session/error', { error, status, ...(!this.pointed && { reported: true }) });
  }

  /** Applies changed settings. */
  async apply(settings: Settings): Promise<Reading> {
    this.settings = settings;
    return this.settled(await this.update({ ...this.limits(), mode: settings.mode }));
  }

  /** Returns the Reading with its panel. */
  inWords(): Promise<Reading> {
    return this.core.call('ctx/session/reading', { id: this.id, panel: true });
  }

  /** Reports whether a new Reading has crossed a level. */
  async crossed(reading: Reading): Promise<boolean> {
    const { state, crossed } = await this.core.call('ctx/crossing', {
      reading,
      ...(this.crossings && { state: this.crossings }),
    });
    this.crossings = state;
    return crossed !== undefined;
  }

  async saved(): Promise<Saved> {
    const ledger = await this.journal.save(this.call);
    const { site, provider, conversation, measuredFor: page, model, digests, unseen, crossings } = this;
    return {
      site,
      provider,
      conversation,
      tab: this.tab.id,
      page,
      model,
      digests,
      unseen,
      crossings,
      ledger,
      at: Date.now(),
    };
  }

  async close(): Promise<void> {
    await this.core.call('ctx/session/close', { id: this.id });
  }

  private async reopen(): Promise<Reading> {
    return this.seen(await this.journal.tell(this.call));
  }

  private async update(params: Omit<UpdateParams, 'id'>): Promise<Reading> {
    return this.seen(await this.journal.change(this.call, 'ctx/session/update', params));
  }

  private seen(reading: Reading): Reading {
    this.measured = reading.lastRequest !== null;
    if (!this.withheld) this.refusedWindow = reading.limitSource === 'error';
    return reading;
  }

  /** Tells the core if the window has become known or unknown. */
  private async settled(reading: Reading): Promise<Reading> {
    return this.windowless === this.withheld ? reading : this.update(this.limits());
  }

  /** Returns the window that the user has set for this site and model, or undefined. */
  private ownWindow(): number | undefined {
    return this.settings.windows[`${this.site}/${this.model}`] ?? this.settings.windows[this.site];
  }

  /** Returns the threshold and the window: the user's, otherwise the plan's; null means the registry's. */
  private limits(): { rule: { percent: number }; limits: { window: number | null } | { withheld: true } } {
    const window = this.ownWindow() ?? this.planned.window;
    this.withheld = this.windowless;
    return { rule: { percent: this.settings.threshold }, limits: this.withheld ? { withheld: true } : { window } };
  }

  /** Applies a report of the page, and undoes it if the result cannot be true. */
  private async trial(method: ChangingMethod, report: object): Promise<Reading> {
    const params = { ...(this.provider && { provider: this.provider }), ...report };
    const before = await this.core.call('ctx/session/reading', { id: this.id });
    let reading: Reading;
    try {
      reading = await this.journal.change(this.call, method, params);
    } catch (fault) {
      if (this.core.dead) throw fault;
      return this.core.call('ctx/session/reading', { id: this.id });
    }
    const seen = {
      visible: this.visible,
      hidden: this.unseen ?? 0,
      part: this.partly,
      chosen: this.ownWindow() !== undefined || (this.planned.window !== null && this.planned.reported === ''),
    };
    if (credible(reading, this.visible, this.answered) && (this.pointed || isNear(reading, before, seen))) {
      this.measuredFor = this.page;
      return this.settled(this.seen(reading));
    }
    this.journal.takeBack();
    return this.reopen();
  }
}

/** Reports whether the page's items before the update are the ones known here. */
export function follows(digests: number[], sync: Sync): boolean {
  return sync.from <= digests.length && digests.slice(0, sync.from).reduce(chain, 0) === sync.before;
}

/**
 * Reports whether a page's report can be true. An answered prompt fit into its window, and contained at least seven
 * tenths of what is visible, as a site may leave out the rest. A window that a refusal names has space for the prompt
 * answered before.
 */
export function credible(reading: Reading, visible: number, answered: number): boolean {
  const { limit, limitSource, lastRequest } = reading;
  if (limitSource === 'error' && (limit === null || limit < Math.max(4096, answered) || limit > mostTokens))
    return false;
  if (!lastRequest) return true;
  const measured = lastRequest.in;
  if (limitSource === 'error' && measured > (limit ?? 0)) return measured <= mostTokens;
  return 10 * measured >= 7 * visible && measured <= (limit ?? mostTokens);
}

/**
 * Reports whether an untrusted page's report differs by at most a third from what is known without it: the size from
 * the visible and hidden parts, the window from the previous one. A partly read conversation and an unknown window have
 * nothing to compare with. A window that the user has chosen stays.
 */
export function isNear(
  reading: Reading,
  before: Reading,
  seen: { visible: number; hidden: number; part: boolean; chosen: boolean },
): boolean {
  const near = (n: number, known: number): boolean => 3 * Math.abs(n - known) <= known;
  if (reading.limitSource === 'error') {
    const window = reading.limit ?? 0;
    if (seen.chosen) return false;
    if (before.limitSource !== 'error' && (before.limit === null || !near(window, before.limit))) return false;
    if (before.limitSource === 'error' && window !== before.limit) return false;
  }
  if (!reading.lastRequest || JSON.stringify(reading.lastRequest) === JSON.stringify(before.lastRequest)) return true;
  return !seen.part && near(reading.used, seen.visible + seen.hidden);
}

/** Splits items into groups that fit into one call. */
export function batches(items: PageItem[]): PageItem[][] {
  const out: PageItem[][] = [];
  let room = 0;
  for (const i of items) {
    if (out.length === 0 || i.text.length > room) {
      out.push([]);
      room = perCall;
    }
    out[out.length - 1]!.push(i);
    room -= i.text.length;
  }
  return out;
}

/** Returns an item for the core. File names stay in the page: the saved ledger contains the item's digest instead. */
function item({ kind, text, file, mediaType, width, height, tokens, digest }: PageItem): Item {
  // An uncounted size is an estimate, and is shown as one.
  if (tokens !== undefined) return { kind, tokens, hidden: true };
  return kind === 'media'
    ? { kind, ...(mediaType && { mediaType }), ...(width && { width }), ...(height && { height }) }
    : { kind, text, ...(file && { what: 'file', subject: String(digest), label: 'file' }) };
}
