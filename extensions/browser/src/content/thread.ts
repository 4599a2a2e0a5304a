// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';

/** A turn as it was read, or a placeholder for one that is not in the page. */
export interface Row {
  key: string | null;
  /** Keys of the turn's messages. */
  ids: string[];
  position: number | null;
  /** Null for a placeholder. */
  content: Content | null;
}

/** The content of a turn. */
export interface Content {
  items: PageItem[];
  files: number;
  pictures: number;
  reports: number;
  /** The side that wrote the turn; null if that is unknown. */
  side: 'user' | 'assistant' | null;
  /** Whether it is a turn without a readable message. */
  unreadable: boolean;
}

/** How many characters of text are remembered. */
const mostText = 20_000_000;

/**
 * The turns of a conversation, even if the page shows only a part of it. They are identified by their keys, kept when
 * they leave the page, and joined in order when others appear. Turns that cannot be joined are forgotten: a number that
 * is too small is marked as partial, whereas one that includes another branch's turns would be wrong.
 */
export class Thread {
  private rows: Row[] = [];
  private total = 0;
  /** Whether the first row is known to be the conversation's first. */
  private begun = false;
  /** Whether rows were forgotten without a replacement, so that the end may be missing. */
  private cut = false;
  /** The first row that is in the page, and how many rows are. */
  private first: Row | null = null;
  private mounted = 0;

  /** `slack` is how much the first turn's number may differ from page to page. */
  constructor(private readonly slack = 0) {}

  forget(): void {
    this.rows = [];
    this.total = 0;
    this.begun = false;
    this.cut = false;
  }

  /**
   * Records the turns that the page shows now, in order, and the page's own number of turns. `atEnd` returns whether
   * the page is scrolled to its end; it is called only if that matters.
   */
  see(shown: Row[], total: number | null, atEnd: () => boolean = () => false): void {
    const turns = numbered(shown, this.slack);
    const named = turns.every((r) => r.key !== null || r.content === null);
    if (turns.length === 0) this.forget();
    else if (named && turns.every((r) => r.position !== null)) this.place(turns, total);
    else this.join(turns, named ? jointByKey(this.rows, turns) : jointByText(this.rows, turns), atEnd);
    this.total = total ?? (turns.some((r) => r.content === null) ? turns.length : 0);
    this.first = turns.find((r) => r.content !== null) ?? null;
    this.mounted = turns.filter((r) => r.content !== null).length;
    this.limit();
  }

  /** Whether the first turn in the page is the first known one, and the last turn the last known one. */
  get edges(): { first: boolean; last: boolean } {
    const { read } = this;
    const at = this.first ? read.indexOf(this.first) : -1;
    return { first: at === 0, last: at >= 0 && at + this.mounted === read.length };
  }

  /** Marks the first row as the conversation's first, as the page has shown. */
  begins(): void {
    this.begun = true;
  }

  /** Marks the last row as the conversation's last, as the page has shown. */
  ends(): void {
    this.cut = false;
  }

  /** Whether the conversation's first turn was seen. */
  get hasBeginning(): boolean {
    return this.begun;
  }

  /** Whether the conversation's end was dropped and has not been seen again. */
  get hasLost(): boolean {
    return this.cut;
  }

  /** The turns that were read, in order. */
  get read(): Row[] {
    return this.rows.filter((r) => r.content !== null);
  }

  /** The number of turns: the largest of the page's own number, the highest position, and the turns read. */
  get of(): number {
    const numbers = this.rows.map((r) => r.position).filter((p) => p !== null);
    const counted = numbers.length > 0 ? Math.max(...numbers) - this.base(numbers) + 1 : this.rows.length;
    return Math.max(this.total, counted, this.read.length);
  }

  /** The turns at the end, up to the first missing one. */
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

  /** Merges turns by their numbers, if all of them have one. */
  private place(shown: Row[], total: number | null): void {
    const at = new Map(this.rows.map((r) => [r.position, r]));
    let stale = total === null ? Infinity : total + this.slack;
    for (const row of shown) {
      const old = at.get(row.position);
      // A different turn at a position, or a different text in a turn that is not the last, belongs to another branch:
      // the turns that followed the old one do not follow the new one.
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

  /** Merges turns without numbers, by the turns that both sides have. */
  private join(shown: Row[], joint: Joint | null, atEnd: () => boolean): void {
    const old = this.rows;
    if (!joint) {
      this.cut = old.length > 0;
      this.begun = false;
      this.rows = shown;
      return;
    }
    const { first, from, last, to, changed } = joint;
    // New turns before or after the common ones leave no place for the old turns there.
    const before = first === 0 ? old.slice(0, from) : [];
    let after = last === shown.length - 1 && to >= from && !changed ? old.slice(to + 1) : [];
    // If the page is at its end and shows nothing new, the turns that followed were undone.
    if (after.length > 0 && !joint.more && atEnd()) after = [];
    if (first > 0) this.begun = false;
    this.rows = [...before, ...shown.map((r, i) => joint.kept(i) ?? r), ...after];
  }

  /** Turns the oldest turns into placeholders again if there is more text than can be remembered. */
  private limit(): void {
    let room = mostText;
    for (let i = this.rows.length - 1; i >= 0; i--) {
      const row = this.rows[i]!;
      room -= row.content?.items.reduce((n, item) => n + item.text.length, 0) ?? 0;
      if (room < 0 && row.content) this.rows[i] = { ...row, content: null };
    }
  }
}

/** The overlap of the shown rows with the known ones: rows `first` to `last` are the known rows `from` to `to`. */
interface Joint {
  first: number;
  from: number;
  last: number;
  to: number;
  /** Whether one of them has changed, so that the turns that followed belong to another branch. */
  changed: boolean;
  /** Whether there are unknown rows among the shown ones. */
  more: boolean;
  /** Returns the known row for a shown placeholder. */
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

/** A single matching turn joins two lists only if it has at least this many characters: "yes" occurs many times. */
const distinctive = 24;

/**
 * Joins turns without keys by their texts: those that both sides have in the same order, starting where the lists meet.
 * Of several joints, the one with the most common text is used.
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
    if (n === 0 || common <= most || (n === 1 && common < distinctive && shift !== 0)) continue;
    most = common;
    const [last, to] = [at - 1, at - 1 + shift];
    best = { first, from: first + shift, last, to, changed: at < end, more: n < shown.length, kept: () => undefined };
  }
  return best;
}

/** Reports whether two rows have the same text. The last row of either list may still be incomplete. */
function alike(old: Row[], i: number, shown: Row[], j: number): boolean {
  const [was, is] = [old[i]!.content?.items, shown[j]!.content?.items];
  if (!was || !is) return false;
  if (was.length === is.length && was.every((item, n) => item.digest === is[n]!.digest)) return true;
  return i === old.length - 1 && j === shown.length - 1 && was.length > 0 && !rewritten(old[i]!, shown[j]!);
}

const signs = (row: Row): number => row.content?.items.reduce((n, i) => n + i.text.length, 0) ?? 0;

/** Reports whether a text was replaced. A text that has only grown is still being written. */
function rewritten(old: Row, now: Row): boolean {
  if (!old.content || !now.content) return false;
  const was = old.content.items[0]?.text ?? '';
  const is = now.content.items[0]?.text ?? '';
  return was !== is && !is.startsWith(was.slice(0, Math.max(1, was.length >> 1)));
}

/** Numbers the rows by their order, if the page has placeholders for turns that are not in it. */
function numbered(shown: Row[], slack: number): Row[] {
  if (!shown.some((r) => r.content === null)) return shown;
  const i = shown.findIndex((r) => r.position !== null);
  const ahead = i < 0 ? 0 : shown[i]!.position! - i;
  const offset = ahead > slack ? ahead : 0;
  return shown.map((r, n) => ({ ...r, position: n + offset }));
}
