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

  /** `slack`: by how many the first turn's number may differ from page to page. */
  constructor(private readonly slack = 0) {}

  forget(): void {
    this.rows = [];
    this.total = 0;
  }

  /** Takes note of what the page shows now, in its order, and of how many turns it says there are. */
  see(shown: Row[], total: number | null): void {
    const told = numbered(shown, this.slack);
    const known = told.every((r) => r.key !== null || r.content === null);
    if (!known || told.length === 0) this.rows = told;
    else if (told.every((r) => r.position !== null)) this.place(told, total);
    else this.join(told);
    this.total = total ?? (told.some((r) => r.content === null) ? told.length : 0);
    this.limit();
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

  /** Where turns have keys alone, those that both sides have join them. */
  private join(shown: Row[]): void {
    const old = this.rows;
    const keys = new Set(old.map((r) => r.key));
    const first = shown.findIndex((r) => keys.has(r.key));
    if (first < 0) {
      this.rows = shown;
      return;
    }
    const last = shown.length - 1 - [...shown].reverse().findIndex((r) => keys.has(r.key));
    const from = old.findIndex((r) => r.key === shown[first]!.key);
    const to = old.findIndex((r) => r.key === shown[last]!.key);
    const changed = shown.some((r) => {
      const was = old.find((o) => o.key === r.key);
      return was !== undefined && r !== shown[shown.length - 1] && rewritten(was, r);
    });
    // What is new before or after the common turns leaves no room for others that were there.
    const before = first === 0 ? old.slice(0, from) : [];
    const after = last === shown.length - 1 && to >= from && !changed ? old.slice(to + 1) : [];
    const kept = shown.map((r) => (r.content === null ? (old.find((o) => o.key === r.key) ?? r) : r));
    this.rows = [...before, ...kept, ...after];
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
