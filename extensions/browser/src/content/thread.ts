// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';

/** A turn as it was read, or the place of one that is not in the page. */
export interface Row {
  key: string | null;
  /** Keys of the messages in it. */
  ids: string[];
  position: number | null;
  /** Null for a place without its turn. */
  content: Content | null;
}

/** What is in a turn. */
export interface Content {
  items: PageItem[];
  files: number;
  pictures: number;
  reports: number;
  /** Whose turn it is, as far as it is one side's. */
  side: 'user' | 'assistant' | null;
  /** Whether there is no message in it although it is a turn. */
  unreadable: boolean;
}

/** What is remembered at most, in signs of text. */
const mostText = 20_000_000;

/**
 * The turns of a conversation, also of one that the page shows only a part of. They are known by their keys, kept when
 * they leave the page, and joined in their order when they come. What cannot be joined is forgotten: a number that is
 * too small is marked as a part, and one that holds another branch's turns would be wrong.
 */
export class Thread {
  private rows: Row[] = [];
  private total = 0;
  /** Whether the first of the rows was seen to be the conversation's first. */
  private begun = false;
  /** Whether rows were forgotten that nothing has taken the place of, so that the end may be missing. */
  private cut = false;
  /** The first of the rows in the page, and how many of them are. */
  private first: Row | null = null;
  private mounted = 0;

  /** `slack`: by how many the first turn's number may differ from page to page. */
  constructor(private readonly slack = 0) {}

  forget(): void {
    this.rows = [];
    this.total = 0;
    this.begun = false;
    this.cut = false;
  }

  /**
   * Takes note of what the page shows now, in its order, and of how many turns it says there are. `atEnd` tells whether
   * the page has scrolled to its end; it is asked where that decides.
   */
  see(shown: Row[], total: number | null, atEnd: () => boolean = () => false): void {
    const told = numbered(shown, this.slack);
    const named = told.every((r) => r.key !== null || r.content === null);
    if (told.length === 0) this.forget();
    else if (named && told.every((r) => r.position !== null)) this.place(told, total);
    else this.join(told, named ? jointByKey(this.rows, told) : jointByText(this.rows, told), atEnd);
    this.total = total ?? (told.some((r) => r.content === null) ? told.length : 0);
    this.first = told.find((r) => r.content !== null) ?? null;
    this.mounted = told.filter((r) => r.content !== null).length;
    this.limit();
  }

  /** Whether the first turn in the page is the first that is known, and the last one the last. */
  get edges(): { first: boolean; last: boolean } {
    const { read } = this;
    const at = this.first ? read.indexOf(this.first) : -1;
    return { first: at === 0, last: at >= 0 && at + this.mounted === read.length };
  }

  /** The first row is the conversation's first, as the page has shown. */
  begins(): void {
    this.begun = true;
  }

  /** The last row is the conversation's last, as the page has shown. */
  ends(): void {
    this.cut = false;
  }

  /** Whether the conversation's first turn was seen as such. */
  get hasBeginning(): boolean {
    return this.begun;
  }

  /** Whether the conversation's end was let go, and has not been seen again. */
  get hasLost(): boolean {
    return this.cut;
  }

  /** The turns that were read, in their order. */
  get read(): Row[] {
    return this.rows.filter((r) => r.content !== null);
  }

  /** How many turns there are: by the page's own count, else by the largest number that was seen. */
  get of(): number {
    const numbers = this.rows.map((r) => r.position).filter((p) => p !== null);
    const counted = numbers.length > 0 ? Math.max(...numbers) - this.base(numbers) + 1 : this.rows.length;
    return Math.max(this.total, counted, this.read.length);
  }

  /** The turns at the end between which none is missing. */
  get tail(): Row[] {
    const out: Row[] = [];
    for (let i = this.rows.length - 1; i >= 0; i--) {
      const row = this.rows[i]!;
      const after = out[0];
      const gap = after && after.position !== null && row.position !== null && after.position - row.position > 1;
      if (row.content === null || gap) break;
      out.unshift(row);
    }
    return out;
  }

  private base(numbers: number[]): number {
    const least = Math.min(...numbers);
    return least <= this.slack ? least : 0;
  }

  /** Where every turn has its number, that decides. */
  private place(shown: Row[], total: number | null): void {
    const at = new Map(this.rows.map((r) => [r.position, r]));
    let stale = total === null ? Infinity : total + this.slack;
    for (const row of shown) {
      const old = at.get(row.position);
      // Another turn in a place, or another text in one that is not the last, is another branch: what came after the
      // old one does not come after the new one.
      if (old && (old.key !== row.key || rewritten(old, row))) stale = Math.min(stale, row.position! + 1);
    }
    const inPage = new Set(shown.map((r) => r.position));
    for (const [position] of at)
      if (position === null || (position >= stale && !inPage.has(position))) at.delete(position);
    for (const row of shown) {
      const old = at.get(row.position);
      at.set(row.position, row.content === null && old?.key === row.key ? old : row);
    }
    this.rows = [...at.values()].sort((a, b) => a.position! - b.position!);
  }

  /** Where turns have no numbers, those that both sides have join them. */
  private join(shown: Row[], joint: Joint | null, atEnd: () => boolean): void {
    const old = this.rows;
    if (!joint) {
      this.cut = old.length > 0;
      this.begun = false;
      this.rows = shown;
      return;
    }
    const { first, from, last, to, changed } = joint;
    // What is new before or after the common turns leaves no room for others that were there.
    const before = first === 0 ? old.slice(0, from) : [];
    let after = last === shown.length - 1 && to >= from && !changed ? old.slice(to + 1) : [];
    // Where the page is at its end and shows nothing new, the turns that came after were taken back.
    if (after.length > 0 && !joint.more && atEnd()) after = [];
    if (first > 0) this.begun = false;
    this.rows = [...before, ...shown.map((r, i) => joint.kept(i) ?? r), ...after];
  }

  /** Of more text than can be remembered the first turns become places again. */
  private limit(): void {
    let room = mostText;
    for (let i = this.rows.length - 1; i >= 0; i--) {
      const row = this.rows[i]!;
      room -= row.content?.items.reduce((n, item) => n + item.text.length, 0) ?? 0;
      if (room < 0 && row.content) this.rows[i] = { ...row, content: null };
    }
  }
}

/** What the page shows of what was known: its rows from `first` to `last` are the known ones from `from` to `to`. */
interface Joint {
  first: number;
  from: number;
  last: number;
  to: number;
  /** Whether one between them is another now, so that what came after is another branch's. */
  changed: boolean;
  /** Whether there are others among them that were not known. */
  more: boolean;
  /** The known row in the place of one that only keeps its place. */
  kept(i: number): Row | undefined;
}

function jointByKey(old: Row[], shown: Row[]): Joint | null {
  const known = new Map(old.map((r, i) => [r.key, i]));
  const first = shown.findIndex((r) => known.has(r.key));
  if (first < 0) return null;
  const last = shown.length - 1 - [...shown].reverse().findIndex((r) => known.has(r.key));
  return {
    first,
    from: known.get(shown[first]!.key)!,
    last,
    to: known.get(shown[last]!.key)!,
    changed: shown.some((r, i) => {
      const was = old[known.get(r.key) ?? -1];
      return was !== undefined && i !== shown.length - 1 && rewritten(was, r);
    }),
    more: shown.some((r) => !known.has(r.key)),
    kept: (i) => (shown[i]!.content === null ? old[known.get(shown[i]!.key) ?? -1] : undefined),
  };
}

/** One turn that is alike joins two lists if it has at least so many signs: everybody says "yes" twice. */
const telling = 24;

/**
 * Turns without keys are known by their texts: those that both sides have in the same order, from where the two lists
 * meet on. Of several ways the one with the most text in common counts.
 */
function jointByText(old: Row[], shown: Row[]): Joint | null {
  let best: Joint | null = null;
  let most = -1;
  for (let shift = 1 - shown.length; shift < old.length; shift++) {
    const first = Math.max(0, -shift);
    const end = Math.min(shown.length, old.length - shift);
    let at = first;
    let common = 0;
    while (at < end && alike(old, at + shift, shown, at)) common += signs(shown[at++]!);
    const n = at - first;
    if (n === 0 || common <= most || (n === 1 && common < telling && shift !== 0)) continue;
    most = common;
    const [last, to] = [at - 1, at - 1 + shift];
    best = { first, from: first + shift, last, to, changed: at < end, more: n < shown.length, kept: () => undefined };
  }
  return best;
}

/** Whether two rows say the same. The last of either list may still be written. */
function alike(old: Row[], i: number, shown: Row[], j: number): boolean {
  const [was, is] = [old[i]!.content?.items, shown[j]!.content?.items];
  if (!was || !is) return false;
  if (was.length === is.length && was.every((item, n) => item.digest === is[n]!.digest)) return true;
  return i === old.length - 1 && j === shown.length - 1 && was.length > 0 && !rewritten(old[i]!, shown[j]!);
}

const signs = (row: Row): number => row.content?.items.reduce((n, i) => n + i.text.length, 0) ?? 0;

/** A text that has grown is still being written; any other is another text. */
function rewritten(old: Row, now: Row): boolean {
  if (!old.content || !now.content) return false;
  const was = old.content.items[0]?.text ?? '';
  const is = now.content.items[0]?.text ?? '';
  return was !== is && !is.startsWith(was.slice(0, Math.max(1, was.length >> 1)));
}

/** Where the page holds places for what is not in it, the order is that of the places. */
function numbered(shown: Row[], slack: number): Row[] {
  if (!shown.some((r) => r.content === null)) return shown;
  const i = shown.findIndex((r) => r.position !== null);
  const ahead = i < 0 ? 0 : shown[i]!.position! - i;
  const offset = ahead > slack ? ahead : 0;
  return shown.map((r, n) => ({ ...r, position: n + offset }));
}
