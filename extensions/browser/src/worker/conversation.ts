// Copyright The ctx-lsp authors. MIT licence.

import type { Core } from '../../../../wasm/js/ctx.js';
import type { Item, Ledger, Reading, UpdateParams } from '../../../../wasm/js/types';
import { chain, type PageItem, type Sync } from '../messages';
import type { Settings } from '../settings';

/** What is kept of a conversation when the worker is stopped: digests and the ledger, no text. */
export interface Saved {
  site: string;
  provider: string;
  conversation: string;
  tab: number;
  model: string;
  digests: number[];
  ledger: Ledger;
  at: number;
}

/** Texts of one call together; the core takes 16 MB at a time. */
const perCall = 2_000_000;

/** No prompt is larger than this many percent of the window, or than this many tokens where the window is not known. */
const mostPercent = 200;
const mostTokens = 20_000_000;

/** A conversation that one tab shows, as a session of the core. */
export class Conversation {
  private digests: number[] = [];
  private model = '';
  private measured = false;
  /** Whether something has changed since it was last kept. */
  dirty = true;

  private constructor(
    private readonly core: Core,
    readonly id: string,
    readonly site: string,
    readonly conversation: string,
    private readonly provider: string,
    readonly tab: number,
    private settings: Settings,
  ) {}

  static async open(core: Core, id: string, tab: number, sync: Sync, settings: Settings): Promise<Conversation> {
    const made = new Conversation(core, id, sync.site, sync.conversation, sync.provider, tab, settings);
    made.model = sync.model ?? '';
    await core.call('ctx/session/open', {
      id,
      ...(made.model && { model: made.model }),
      ...(made.provider && { provider: made.provider }),
      route: 'chat',
      mode: settings.mode,
      ...made.limits(),
    });
    return made;
  }

  /** The conversation as it was kept, or a copy of what another tab shows. */
  static async restore(
    core: Core,
    id: string,
    tab: number,
    sync: Sync,
    saved: Saved,
    settings: Settings,
  ): Promise<Conversation> {
    const made = new Conversation(core, id, sync.site, sync.conversation, saved.provider, tab, settings);
    await core.call('ctx/session/restore', { id, ledger: saved.ledger });
    made.digests = saved.digests;
    made.model = saved.model;
    await made.update({ ...made.limits(), mode: settings.mode });
    return made;
  }

  get has(): number[] {
    return this.digests;
  }

  /**
   * Whether everything must be counted anew: another model counts otherwise, and nothing was measured that could be
   * kept.
   */
  recounts(sync: Sync): boolean {
    return sync.model !== null && sync.model !== this.model && this.digests.length > 0 && !this.measured;
  }

  /** Takes in what changed on the page; null when page and worker do not agree on what came before. */
  async sync(sync: Sync): Promise<Reading | null> {
    if (!follows(this.digests, sync)) return null;
    let at = sync.from;
    let items = sync.items;
    // What is here already stays, with what was measured of it.
    while (items.length > 0 && items[0]!.digest === this.digests[at]) {
      items = items.slice(1);
      at++;
    }
    const changed = sync.model !== null && sync.model !== this.model;
    if (changed) this.model = sync.model!;
    const first: Omit<UpdateParams, 'id'> = { ...(changed && { model: this.model, ...this.limits() }) };
    const grown = items.length === 1 && this.digests.length === at + 1;
    if (grown) first.replace = [{ index: at, item: item(items[0]!) }];
    else if (this.digests.length > at) first.removeFrom = at;
    const pieces = grown ? [] : batches(items);
    const kept = this.digests.slice(0, at);
    await this.update({ ...first, ...(pieces[0] && { append: pieces[0].map(item) }) });
    for (const piece of pieces.slice(1)) await this.update({ append: piece.map(item) });
    this.digests = [...kept, ...items.map((i) => i.digest)];
    return this.draft(sync.draft);
  }

  draft(text: string): Promise<Reading> {
    return this.update({ draft: text === '' ? null : text, at: Date.now() });
  }

  /** Usage that the page's own answers carried. What is none, or cannot be, is refused and changes nothing. */
  usage(usage: unknown): Promise<Reading> {
    return this.trial(() =>
      this.core.call('ctx/session/usage', {
        id: this.id,
        usage,
        ...(this.provider && { provider: this.provider }),
      } as never),
    );
  }

  /** A refusal that the page was given. The core learns from those that speak of the window. */
  refused(error: unknown, status: number): Promise<Reading> {
    return this.trial(() =>
      this.core.call('ctx/session/error', {
        id: this.id,
        error,
        status,
        ...(this.provider && { provider: this.provider }),
      } as never),
    );
  }

  /** The person's settings apply at once. */
  async apply(settings: Settings): Promise<Reading> {
    this.settings = settings;
    return this.update({ ...this.limits(), mode: settings.mode });
  }

  async saved(): Promise<Saved> {
    const { ledger } = await this.core.call('ctx/session/save', { id: this.id });
    const { site, provider, conversation, tab, model, digests } = this;
    return { site, provider, conversation, tab, model, digests, ledger, at: Date.now() };
  }

  async close(): Promise<void> {
    await this.core.call('ctx/session/close', { id: this.id });
  }

  private async update(params: Omit<UpdateParams, 'id'>): Promise<Reading> {
    this.dirty = true;
    const reading = await this.core.call('ctx/session/update', { id: this.id, ...params });
    this.measured = reading.lastRequest !== null;
    return reading;
  }

  /** The threshold, and the window that the person has set for this site and model; 0 for the registry's own. */
  private limits(): { rule: { percent: number }; limits: { window: number } } {
    const window = this.settings.windows[`${this.site}/${this.model}`] ?? this.settings.windows[this.site] ?? 0;
    return { rule: { percent: this.settings.threshold }, limits: { window } };
  }

  /** Does what the page asks for, and takes it back if what comes out cannot be. */
  private async trial(work: () => Promise<Reading>): Promise<Reading> {
    const { ledger } = await this.core.call('ctx/session/save', { id: this.id });
    const reading = await work().catch(() => null);
    if (reading && credible(reading)) {
      this.dirty = true;
      this.measured = reading.lastRequest !== null;
      return reading;
    }
    await this.close();
    return this.core.call('ctx/session/restore', { id: this.id, ledger });
  }
}

/** Whether what came before on the page is what is here. */
export function follows(digests: number[], sync: Sync): boolean {
  return sync.from <= digests.length && digests.slice(0, sync.from).reduce(chain, 0) === sync.before;
}

/** Whether a page's word can be true: a prompt that was answered fitted, and a window is not tiny. */
export function credible(reading: Reading): boolean {
  if (reading.limitSource === 'error' && (reading.limit === null || reading.limit < 4096 || reading.limit > mostTokens))
    return false;
  if (reading.limitSource !== 'user' && reading.percent !== null && reading.percent > mostPercent) return false;
  return reading.used <= mostTokens;
}

/** Items in groups that fit into one call. */
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

function item({ kind, text, mediaType, width, height }: PageItem): Item {
  return kind === 'media'
    ? { kind, ...(mediaType && { mediaType }), ...(width && { width }), ...(height && { height }) }
    : { kind, text };
}
