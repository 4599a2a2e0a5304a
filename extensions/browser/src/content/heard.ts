// Copyright The ctx-lsp authors. MIT licence.

import { itself } from '../adapter/blank';
import { modelNamed } from '../adapter/models';
import type { Account } from '../adapter/plans';
import type { Site } from '../adapter/site';
import type { Aside, FromPage } from '../messages';
import { Ear, type Told } from '../traffic/ear';
import type { Loaded } from '../traffic/loaded';
import { extended } from '../traffic/merge';
import type { Reader } from './reader';

/** So many conversations that the page has loaded are remembered: it may load one before its address says so. */
const mostLoaded = 3;

/** So many models' windows are remembered, as a page may list others again and again. */
const mostWindows = 1000;

/** So many measurements wait at most. */
const mostMeasured = 8;

/**
 * What the site's server has told in this load of the page: the page's own requests carry it, and none is made for it.
 * What is of the conversation in the address goes to the reader; what was measured waits for its answer.
 */
export class Heard {
  readonly account: Account = { windows: {}, plan: [] };
  readonly aside: Aside = { limits: [], answered: null };
  /** The model that answers, where only the server names it. */
  model: string | null = null;
  private readonly ear: Ear;
  private readonly conversations = new Map<string, Loaded>();
  /** What was measured waits until the worker has the answer that it was measured with. */
  private measured: { said: FromPage; with: string | undefined }[] = [];
  private readonly started = performance.now();

  constructor(
    private readonly site: Site,
    private readonly reader: Reader,
  ) {
    this.ear = new Ear(site.data.answers, location.origin, (url) => site.conversation(url));
  }

  /** Asks the wrapper in the page's world for what the site's file names, also for what it has heard already. */
  ready(): void {
    const answers = this.site.data.answers.map(({ path, anywhere }) => ({ path, anywhere }));
    window.postMessage({ ctxLspReady: answers }, location.origin);
  }

  /** Another conversation is shown, or one that has just got its name. */
  conversation(now: string, named: boolean): void {
    const loaded = this.conversations.get(now);
    if (loaded) this.reader.load(loaded);
    this.measured = [];
    if (!named) this.model = null;
    if (now === '' || !named) this.aside.answered = null;
  }

  /** Takes a message of the page's world: null if it says nothing, else whether it says something beside the number. */
  hear(e: MessageEvent, conversation: string): { aside: boolean } | null {
    if (e.source !== window || e.origin !== location.origin) return null;
    const told = this.ear.hear(e.data, performance.now());
    if (!told) return null;
    this.take(told, conversation);
    return { aside: told.limits !== undefined || told.answer !== undefined };
  }

  /** What was measured and can be told now; what was measured before it, with an earlier answer, says nothing more. */
  next(): FromPage | null {
    const next = this.measured.findIndex((m) => m.with === undefined || this.reader.endsWith(m.with));
    return next < 0 ? null : this.measured.splice(0, next + 1).at(-1)!.said;
  }

  /** How often the page's own answers were heard, by the patterns of the site's file. */
  get counts(): (readonly [string, number])[] {
    return [...this.ear.heard];
  }

  private take(told: Told, shown: string): void {
    const { conversation, loaded, answer, usage, measuredWith, model, refused, limits, windows, plan } = told;
    if (windows)
      this.account.windows = Object.fromEntries(
        Object.entries({ ...this.account.windows, ...windows }).slice(-mostWindows),
      );
    if (plan) this.account.plan = plan;
    // What the site allows is the account's, in whichever conversation it was told.
    if (limits) this.aside.limits = limits;
    if (loaded) this.keep(loaded, shown);
    if (answer && (conversation === null || conversation === shown || shown === 'new')) {
      this.reader.answered(answer);
      // What comes in the first moment was said before this script was here, and nobody knows when.
      if (performance.now() - this.started > 1000) this.aside.answered = Date.now();
    }
    // What was measured counts for the conversation that is shown, and for no other.
    if (conversation === null || conversation !== shown) return;
    for (const u of usage ?? []) this.measured.push({ said: { type: 'usage', ...u }, with: measuredWith });
    if (refused) this.measured.push({ said: { type: 'refused', ...refused }, with: undefined });
    if (model) this.model = modelNamed(itself.ids, model);
    this.measured = this.measured.slice(-mostMeasured);
  }

  private keep(loaded: Loaded, shown: string): void {
    const now = extended(this.conversations.get(loaded.conversation), loaded);
    this.conversations.delete(loaded.conversation);
    this.conversations.set(loaded.conversation, now);
    for (const old of this.conversations.keys())
      if (this.conversations.size > mostLoaded) this.conversations.delete(old);
    if (loaded.conversation === shown) this.reader.load(now);
  }
}
