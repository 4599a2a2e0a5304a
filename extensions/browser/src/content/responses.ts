// Copyright The ctx-lsp authors. MIT licence.

import { itself } from '../adapter/blank';
import { modelNamed } from '../adapter/models';
import type { Account } from '../adapter/plans';
import type { Site } from '../adapter/site';
import type { Aside, FromPage } from '../messages';
import type { Loaded } from '../traffic/loaded';
import { extended } from '../traffic/merge';
import { type ResponseFacts, ResponseReader } from '../traffic/responses';
import type { Reader } from './reader';

/** How many loaded conversations are remembered: the page may load one before its address names it. */
const mostLoaded = 3;

/** How many models' windows are remembered; the limit is for pages that list new ones again and again. */
const mostWindows = 1000;

/** How many measurements can wait. */
const mostMeasured = 8;

/**
 * Collects what the site's server has returned since the page was loaded. Everything comes from the page's own
 * requests; none is added. Data of the conversation in the address goes to the reader; a measurement waits for its
 * answer.
 */
export class Responses {
  readonly account: Account = { windows: {}, plan: [] };
  readonly aside: Aside = { limits: [], answered: null };
  /** The model that answers, if only the server names it. */
  model: string | null = null;
  private readonly responseReader: ResponseReader;
  private readonly conversations = new Map<string, Loaded>();
  /** Measurements that wait until the worker has the answer they belong to. */
  private measured: { message: FromPage; with: string | undefined }[] = [];
  private readonly started = performance.now();

  constructor(
    private readonly site: Site,
    private readonly reader: Reader,
  ) {
    this.responseReader = new ResponseReader(site.data.answers, location.origin, (url) => site.conversation(url));
  }

  /**
   * Asks the wrapper in the page's world for the responses that the site's file names, including those it has already
   * seen.
   */
  ready(): void {
    const answers = this.site.data.answers.map(({ path, anywhere }) => ({ path, anywhere }));
    window.postMessage({ ctxLspReady: answers }, location.origin);
  }

  /** Switches to another conversation, or to the name that a new one has just got. */
  conversation(now: string, named: boolean): void {
    const loaded = this.conversations.get(now);
    if (loaded) this.reader.load(loaded);
    this.measured = [];
    if (!named) this.model = null;
    if (now === '' || !named) this.aside.answered = null;
  }

  /**
   * Handles a message from the page's world. Returns null if it contains nothing; otherwise whether it contains
   * something besides the number.
   */
  receive(e: MessageEvent, conversation: string): { aside: boolean } | null {
    if (e.source !== window || e.origin !== location.origin) return null;
    const facts = this.responseReader.read(e.data, performance.now());
    if (!facts) return null;
    this.take(facts, conversation);
    return { aside: facts.limits !== undefined || facts.answer !== undefined };
  }

  /**
   * Returns the next measurement that can be sent now, or null. Earlier ones belong to an earlier answer and are
   * dropped.
   */
  next(): FromPage | null {
    const next = this.measured.findIndex((m) => m.with === undefined || this.reader.endsWith(m.with));
    return next < 0 ? null : this.measured.splice(0, next + 1).at(-1)!.message;
  }

  /** How many of the page's responses were seen, by the patterns of the site's file. */
  get counts(): (readonly [string, number])[] {
    return [...this.responseReader.counts];
  }

  private take(facts: ResponseFacts, shown: string): void {
    const { conversation, loaded, answer, usage, measuredWith, model, refused, limits, windows, plan } = facts;
    if (windows)
      this.account.windows = Object.fromEntries(
        Object.entries({ ...this.account.windows, ...windows }).slice(-mostWindows),
      );
    if (plan) this.account.plan = plan;
    // Limits belong to the account, whichever conversation's response contains them.
    if (limits) this.aside.limits = limits;
    if (loaded) this.keep(loaded, shown);
    if (answer && (conversation === null || conversation === shown || shown === 'new')) {
      this.reader.answered(answer);
      // Anything received in the first second was sent before this script loaded, so its time is unknown.
      if (performance.now() - this.started > 1000) this.aside.answered = Date.now();
    }
    // A measurement applies only to the conversation that is shown.
    if (conversation === null || conversation !== shown) return;
    for (const u of usage ?? []) this.measured.push({ message: { type: 'usage', ...u }, with: measuredWith });
    if (refused) this.measured.push({ message: { type: 'refused', ...refused }, with: undefined });
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
