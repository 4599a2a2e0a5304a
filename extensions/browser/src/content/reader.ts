// Copyright The ctx-lsp authors. MIT licence.

import { plausible, type Site, type Turn } from '../adapter/site';
import { type Coverage, chain, digest, isPart, type PageItem } from '../messages';
import { agreement, agrees, words } from '../traffic/agree';
import type { Facts, Loaded } from '../traffic/loaded';
import { merged, withAnswers } from '../traffic/merge';
import { type Extent, extentOf } from './extent';
import { type Content, type Row, Thread } from './thread';
import { Turns } from './turns';

/** The known part of a conversation, starting at the first item that differs from what was sent to the worker. */
export interface Seen {
  from: number;
  before: number;
  items: PageItem[];
  /** Whether this differs from what was sent to the worker, or nothing was sent yet. */
  changed: boolean;
  coverage: Coverage;
}

interface Message {
  items: PageItem[];
  files: number;
}

/** A message longer than this is not part of a chat and would take too long to count. */
const longest = 4_000_000;

/** How long after a change of its address a page may still show the previous conversation's turns. */
export const swaps = 3000;

/** How many answers are kept because more is known about them than the page shows. */
const mostAnswers = 60;

/**
 * Reads messages, and reads them again only if they have changed, so a page that rewrites itself costs only the
 * messages it has touched. Turns that leave the page are remembered, and data that the page has loaded replaces what it
 * shows.
 */
export class Reader {
  private messages = new WeakMap<Element, Message>();
  private contents = new WeakMap<Element, Content>();
  private sent: number[] | null = null;
  private readonly thread: Thread;
  private loaded: Loaded | null = null;
  private answers: NonNullable<Facts['answer']>[] = [];
  /** Whether the conversation began in this page, so that nothing precedes it. */
  private began = false;
  private since = 0;
  /** The turns of the previous conversation, which the page may still show. */
  private before = new Set<string>();
  private places: { first: Element; last: Element } | null = null;
  /** Whether the page has a gap for turns that were never in it. */
  private hole = false;
  private all: PageItem[] = [];
  private readonly turns: Turns;
  private names: { model: string | null; mode: string | null } = { model: null, mode: null };

  constructor(private readonly site: Site) {
    this.turns = new Turns(site);
    const [first] = site.data.position;
    this.thread = new Thread(first?.firstAtMost ? first.firstAtMost - first.first : 0);
  }

  /** Records a change of the page. */
  changed(record: MutationRecord): void {
    this.turns.touch(record);
    this.touch(record.target);
  }

  /** Whether turns may have moved since the page was last read. */
  get moved(): boolean {
    return this.turns.searchedNow;
  }

  /** Reports whether a node is in a turn of the page. */
  holds(node: Node): boolean {
    return this.turns.holds(node);
  }

  /** Returns the model and the mode that the page names; null for those that it does not. */
  named(page: Document): { model: string | null; mode: string | null } {
    this.turns.searchedNow = false;
    this.turns.read(page);
    if (this.turns.namesChanged) this.names = { model: this.site.model(page), mode: this.site.mode(page) };
    return this.names;
  }

  /** Forgets the message around a node that changed. */
  touch(node: Node): void {
    for (let e = node instanceof Element ? node : node.parentElement; e; e = e.parentElement) {
      this.messages.delete(e);
      this.contents.delete(e);
    }
  }

  /** Sets the digests that the worker has, as reported by the worker. */
  worker(has: number[] | null): void {
    this.sent = has;
  }

  /**
   * Switches to another conversation. One that has just got its name (`named`) continues, and nothing precedes a new
   * one (`fresh`).
   */
  conversation(named: boolean, fresh: boolean): void {
    this.sent = null;
    this.loaded = null;
    this.before.clear();
    if (!named) {
      this.before = new Set(this.thread.read.map(looks));
      this.thread.forget();
      this.answers = [];
      this.hole = false;
    }
    this.began = named || fresh;
    this.since = performance.now();
  }

  /** Sets the data that the page has loaded for this conversation. */
  load(loaded: Loaded): void {
    this.loaded = loaded;
  }

  answered(answer: NonNullable<Facts['answer']>): void {
    this.answers = [answer, ...this.answers].slice(0, mostAnswers);
  }

  /**
   * Returns the content of the page, after the item that `unseen` returns; its argument is whether the number is a
   * lower bound. Returns 'unknown' if the page cannot be understood, 'empty' if it has no messages, 'tooLong' if a
   * message is too long.
   */
  read(page: Document, unseen: (isLeast: boolean) => PageItem | null): Seen | 'unknown' | 'empty' | 'tooLong' {
    if (!this.see(page)) return 'unknown';
    const { items: own, coverage } = this.whole();
    const hidden = unseen(isPart(coverage));
    const items = hidden ? [hidden, ...own] : own;
    this.all = items;
    if (items.some((i) => i.text.length > longest)) return 'tooLong';
    if ((coverage.read === 0 || !this.places) && !this.isNew()) return 'empty';
    const sent = this.sent ?? [];
    let from = 0;
    let before = 0;
    while (from < items.length && from < sent.length && items[from]!.digest === sent[from]) {
      before = chain(before, items[from]!.digest);
      from++;
    }
    const changed = this.sent === null || from < items.length || from < sent.length;
    return { from, before, items: items.slice(from), changed, coverage };
  }

  /** Records the turns in the page before they leave it again; returns false if they cannot be understood. */
  see(page: Document): boolean {
    const swapping = performance.now() - this.since < swaps;
    const turns = this.turns.read(page);
    let rows = turns.map((t, i) => this.row(t, i === turns.length - 1));
    // The address changes before the page shows the other conversation.
    if (swapping && rows.some((r) => this.before.has(looks(r)))) rows = [];
    const inPage = rows.filter((r) => r.content !== null);
    // A single unreadable turn is reported as missing. If at least half of them are unreadable, the page itself has
    // changed.
    if (2 * inPage.filter((r) => r.content!.unreadable).length >= Math.max(1, inPage.length)) return false;
    if (!plausible(inPage.flatMap((r) => r.content!.items))) return false;
    const mounted = turns.filter((t) => !t.shell);
    const [first, last] = [mounted[0]?.element, mounted[mounted.length - 1]?.element];
    this.places = first && last ? { first, last } : null;
    // A page is empty for a moment while it is redrawn. Its earlier content is still known.
    if (rows.length === 0 && !this.isNew()) return true;
    const atEnd = (): boolean => !!this.places && !!extentOf(this.places.first, this.places.last)?.bottom;
    this.thread.see(rows, this.site.total(page), atEnd);
    if (swapping) this.thread.ends();
    return true;
  }

  private isNew(): boolean {
    return this.site.conversation(new URL(location.href)) === 'new';
  }

  /** The first and the last turn in the page; null if there are none. */
  get mounted(): { first: Element; last: Element } | null {
    return this.places;
  }

  /** A value that stays the same as long as the first turn in the page does. */
  get head(): unknown {
    return this.places?.first ?? null;
  }

  /** Records the position of the mounted turns; returns whether that has changed what is known. */
  stands(extent: Extent, begins: boolean): boolean {
    const { thread } = this;
    const before = [this.hole, thread.hasBeginning, thread.hasLost].join();
    const { first, last } = thread.edges;
    this.hole = (first && extent.above) || (last && extent.below);
    if (first && begins) thread.begins();
    if (last && extent.bottom) thread.ends();
    return before !== [this.hole, thread.hasBeginning, thread.hasLost].join();
  }

  /** Reports whether turns may be missing, on pages that do not show their number. */
  private mayLack(read: number): boolean {
    const { loadsAtOnce, holdsAll, total, position, shell } = this.site.data;
    if (this.hole || this.thread.hasLost) return true;
    if (this.began || holdsAll) return false;
    if (loadsAtOnce) return read >= loadsAtOnce;
    return total.length + position.length + shell.length === 0 && !this.thread.hasBeginning;
  }

  /** Reports whether this answer is the last thing that the page shows. */
  endsWith(answer: string): boolean {
    const last = this.thread.tail.at(-1)?.content?.items ?? [];
    const shown = last.filter((i) => i.kind === 'assistant').map((i) => i.text);
    return shown.length > 0 && answer !== '' && agrees(agreement(words(answer), words(shown.join('\n'))));
  }

  /** Records that these items are being sent to the worker. */
  sending(seen: Seen): void {
    this.sent = [...(this.sent ?? []).slice(0, seen.from), ...seen.items.map((i) => i.digest)];
  }

  /** The items of the conversation at the last reading. */
  get items(): readonly PageItem[] {
    return this.all;
  }

  /** Returns the element of an item: its own message, otherwise a neighboring one; null if neither is mounted. */
  find(page: Document, index: number): Element | null {
    const mounted = this.turns.read(page).flatMap((t) => (t.shell ? [] : t.messages));
    for (const at of [index, index + 1, index - 1]) {
      const piece = this.all[at];
      if (!piece) continue;
      const own = mounted.find((m) => this.message(m).items.some((i) => i.digest === piece.digest));
      // Loaded text is the source, whereas the page shows it rendered.
      const begins = letters(piece.text.slice(0, 600)).slice(0, 80);
      const alike = begins.length < 12 ? undefined : mounted.find((m) => this.begins(m, begins));
      const found = own ?? alike;
      if (found) return found;
    }
    return null;
  }

  private begins(message: Element, words: string): boolean {
    return this.message(message).items.some((i) => letters(i.text.slice(0, 600)).startsWith(words));
  }

  /**
   * Returns the loaded conversation, with anything newer that the page shows; without one, everything that the page
   * shows and has shown.
   */
  private whole(): { items: PageItem[]; coverage: Coverage } {
    const { tail, read, of } = this.thread;
    const whole = this.loaded && merged(this.loaded, tail, this.answers);
    if (whole && this.loaded) {
      const { items, turns, ...missing } = whole;
      return { items, coverage: { read: turns, of: turns, more: !this.loaded.whole, ...missing, loaded: 'used' } };
    }
    const sum = (what: 'files' | 'pictures' | 'reports'): number => read.reduce((n, r) => n + r.content![what], 0);
    return {
      items: withAnswers(read, this.answers),
      coverage: {
        read: read.length,
        of,
        more: this.mayLack(read.length),
        files: sum('files'),
        pictures: sum('pictures'),
        reports: sum('reports'),
        unreadable: read.filter((r) => r.content!.unreadable).length,
        loaded: this.loaded && tail.length > 0 ? 'contradicts' : 'none',
      },
    };
  }

  private row(turn: Turn, last: boolean): Row {
    const { key, ids, position } = turn;
    return { key, ids, position, content: turn.shell ? null : this.content(turn, last) };
  }

  private content(turn: Turn, last: boolean): Content {
    const known = this.contents.get(turn.element);
    if (known && !(known.unreadable && last)) return known;
    const messages = turn.messages.map((e) => this.message(e));
    const items = messages.flatMap((m) => m.items);
    const { pictures, reports, files } = this.site.beside(turn.element);
    const none = messages.length === 0;
    const images = none ? [...turn.element.querySelectorAll('img')].filter(isContent).length : 0;
    const content: Content = {
      items,
      files: none ? files : messages.reduce((n, m) => n + m.files, 0),
      pictures: none ? Math.max(pictures, images) : items.some((i) => i.kind === 'media') ? 0 : pictures,
      reports,
      side: turn.role ?? (items.every((i) => i.kind === 'user' || i.kind === 'media') ? 'user' : 'assistant'),
      unreadable: false,
    };
    // A last answer without any content yet is still pending.
    const pending = last && turn.role === 'assistant';
    content.unreadable = none && !pending && content.files + content.pictures + content.reports === 0;
    this.contents.set(turn.element, content);
    return content;
  }

  private message(element: Element): Message {
    let message = this.messages.get(element);
    if (!message) {
      const kind = this.site.kind(element);
      const text = this.site.text(element);
      const { images, files } = this.site.attachments(element);
      message = {
        // The page contains reasoning only while it is unfolded, so reasoning is taken only from loaded conversations.
        items: [piece(kind, text), ...images.filter(isContent).map(image)],
        files,
      };
      this.messages.set(element, message);
    }
    return message;
  }
}

/** Returns a string that identifies a turn that should have left the page. */
const looks = (row: Row): string => (row.content ? `${row.key} ${row.content.items.map((i) => i.digest).join()}` : '');

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

const piece = (kind: PageItem['kind'], text: string): PageItem => ({ kind, text, digest: digest(text, digest(kind)) });

/** Icons and avatars are not content. An image that is not loaded yet has no size. */
const isContent = (i: HTMLImageElement): boolean => i.naturalWidth >= 64 && i.naturalHeight >= 64;

function image(i: HTMLImageElement): PageItem {
  const { naturalWidth: width, naturalHeight: height } = i;
  return { kind: 'media', text: '', mediaType: 'image/png', width, height, digest: digest(`image ${width} ${height}`) };
}
