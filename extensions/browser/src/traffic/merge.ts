// Copyright The ctx-lsp authors. MIT licence.

import type { Content, Row } from '../content/thread';
import type { PageItem } from '../messages';
import { type Agreement, agreement, agrees, words } from './agree';
import { branch, type Facts, type Loaded, type Message } from './loaded';

/** A conversation with the data that its page has loaded, and anything newer that the page shows. */
export interface Whole {
  items: PageItem[];
  turns: number;
  files: number;
  pictures: number;
  reports: number;
  unreadable: number;
}

/** Everything that one side writes before the other answers. */
interface Side {
  side: 'user' | 'assistant';
  shown: string;
  items: PageItem[];
  ids: string[];
  /** The position of its first message in the conversation, if known. */
  from: number | null;
  files: number;
  pictures: number;
  reports: number;
  unreadable: number;
}

/** How many other branches are tried if the page's keys do not identify the one that it shows. */
const mostBranches = 20;

const known = new WeakMap<Side, Map<string, number>>();
const counted = new WeakMap<PageItem, Map<string, number>>();
const compared = new WeakMap<PageItem, WeakMap<Side, Agreement>>();
const split = new WeakMap<Loaded, Map<string | null, { head: PageItem[]; sides: Side[] }>>();

/**
 * Replaces what the page shows with the loaded data as far as they agree; anything that the page shows after that is
 * newer. Returns null if the two contradict each other: then the loaded data belongs to another branch or conversation,
 * or was forged.
 */
export function merged(loaded: Loaded, rows: Row[], answers: NonNullable<Facts['answer']>[]): Whole | null {
  const page = sidesOfPage(rows);
  if (page.length === 0) return null;
  const byId = new Set(loaded.messages.map((s) => s.id));
  const hasIds = page.some((p) => p.ids.some((id) => byId.has(id)));
  for (const leaf of leaves(loaded, hasIds ? page : [])) {
    const { head, sides } = cutInSides(loaded, leaf);
    const fit = placed(sides, page, hasIds ? byId : null);
    if (fit) return joined(head, sides, page, fit, answers);
    if (leaf !== null) continue;
    // If turns are loaded while scrolling, the page may show more of them than were seen to load.
    for (let i = 1; i < page.length; i++) {
      const later = page[i]!.side === sides[0]!.side ? fits(sides, page.slice(i), 0, null) : null;
      if (later && later.alike === sides.length)
        return joined(
          page.slice(0, i).flatMap((p) => p.items),
          sides,
          page.slice(i),
          later,
          answers,
        );
    }
  }
  return null;
}

function cutInSides(loaded: Loaded, leaf: string | null): { head: PageItem[]; sides: Side[] } {
  const all = kept(split, loaded, () => new Map<string | null, { head: PageItem[]; sides: Side[] }>());
  return kept(all, leaf, () => sidesOf(branch(loaded, leaf)));
}

/** Returns the cached value for a key; creates it at the first call. */
function kept<K, V>(all: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const old = all.get(key);
  if (old !== undefined) return old;
  const made = make();
  all.set(key, made);
  return made;
}

/**
 * Returns the ends of the branches to try: only the one with the page's last known message, or all of them, the
 * selected one first.
 */
function leaves(loaded: Loaded, page: Side[]): (string | null)[] {
  if (loaded.leaf === null) return [null];
  const children = new Map<string, string[]>();
  for (const s of loaded.messages)
    if (s.parent !== null) children.set(s.parent, [...(children.get(s.parent) ?? []), s.id]);
  const chosen = new Set(branch(loaded, loaded.leaf).map((s) => s.id));
  const all = new Set(loaded.messages.map((s) => s.id));
  const shown = page.flatMap((p) => p.ids).filter((id) => all.has(id));
  const last = shown[shown.length - 1];
  if (last !== undefined) {
    if (chosen.has(last)) return [loaded.leaf];
    let at = last;
    for (let n = 0; n < loaded.messages.length; n++) {
      const next = children.get(at);
      if (!next) break;
      at = next[next.length - 1]!;
    }
    return [at];
  }
  const ends = loaded.messages.filter((s) => !children.has(s.id) && s.id !== loaded.leaf).map((s) => s.id);
  return [loaded.leaf, ...ends.slice(-mostBranches)];
}

const empty = (side: Side['side']): Side => ({
  side,
  shown: '',
  items: [],
  ids: [],
  from: null,
  files: 0,
  pictures: 0,
  reports: 0,
  unreadable: 0,
});

function sidesOf(messages: Message[]): { head: PageItem[]; sides: Side[] } {
  const sides: Side[] = [];
  const head: PageItem[] = [];
  for (const [i, s] of messages.entries()) {
    // Messages before the first one that are not shown anywhere are the site's own instructions.
    if (sides.length === 0 && s.side === 'assistant' && s.shown === '') {
      head.push(...s.items);
      continue;
    }
    let at = sides[sides.length - 1];
    if (at?.side !== s.side) {
      at = { ...empty(s.side), from: i };
      sides.push(at);
    }
    at.shown += `\n${s.shown}`;
    at.items.push(...s.items);
    at.ids.push(s.id);
    at.files += s.files;
    at.pictures += s.pictures;
  }
  return { head, sides };
}

function sidesOfPage(rows: Row[]): Side[] {
  const sides: Side[] = [];
  const to = (side: Side['side'], row: Row): Side => {
    let at = sides[sides.length - 1];
    if (at?.side !== side) {
      at = { ...empty(side), from: row.position };
      sides.push(at);
    }
    if (!at.ids.includes(row.ids[0] ?? '')) at.ids.push(...row.ids);
    return at;
  };
  for (const row of rows) {
    const content: Content = row.content!;
    let at: Side | null = content.items.length === 0 && content.side ? to(content.side, row) : null;
    for (const item of content.items) {
      if (item.kind !== 'media' || !at) at = to(item.kind === 'user' ? 'user' : (content.side ?? 'assistant'), row);
      if (item.kind === 'user' || item.kind === 'assistant') at.shown += `\n${item.text}`;
      at.items.push(item);
    }
    at ??= sides[sides.length - 1] ?? to('assistant', row);
    at.files += content.files;
    at.pictures += content.pictures;
    at.reports += content.reports;
    at.unreadable += content.unreadable ? 1 : 0;
  }
  return sides;
}

const wordsOf = (side: Side): Map<string, number> => kept(known, side, () => words(side.shown));

/** Returns the only text of a page's side, which is the key for caching results about it; null if there are several. */
function onlyText(p: Side): PageItem | null {
  const texts = p.items.filter((i) => i.kind === 'user' || i.kind === 'assistant');
  return texts.length === 1 ? texts[0]! : null;
}

function shownWords(p: Side): Map<string, number> {
  const text = onlyText(p);
  return text ? kept(counted, text, () => words(text.text)) : wordsOf(p);
}

/** Returns the agreement of a page's side with a loaded one. */
function compare(p: Side, s: Side): Agreement {
  const text = onlyText(p);
  const now = (): Agreement => agreement(shownWords(p), wordsOf(s));
  return text
    ? kept(
        kept(compared, text, () => new WeakMap<Side, Agreement>()),
        s,
        now,
      )
    : now();
}

/** The position of the page's first side in the branch, and how many of the page's sides match the loaded ones. */
interface Fit {
  at: number;
  alike: number;
  /** How many words they have in common. */
  common: number;
  /** Whether the page shows something else after these, so that the rest of the branch is not sent. */
  cut: boolean;
}

/** How far the page's numbers may be from the positions in the branch. */
const slack = 3;

function placed(sides: Side[], page: Side[], ids: Set<string> | null): Fit | null {
  const first = page.findIndex((p) => shownWords(p).size > 0);
  if (first < 0) return null;
  const possible = (at: number): Fit | null => {
    const one = sides[at + first];
    if (!one || sides[at]!.side !== page[0]!.side) return null;
    const own = page[first]!.ids;
    if (ids && own.some((id) => ids.has(id)) && !own.some((id) => one.ids.includes(id))) return null;
    return fits(sides, page, at, ids);
  };
  let best: Fit | null = null;
  // Keys are more reliable than numbers, which differ from the server's if it has hidden messages.
  const number = ids ? null : page[0]!.from;
  for (let at = sides.length - 1; at >= 0; at--) {
    if (number !== null && Math.abs((sides[at]!.from ?? 0) - number) > slack) continue;
    const fit = possible(at);
    if (fit && fit.common > (best?.common ?? 0)) best = fit;
  }
  if (best || number === null) return best;
  // The page's numbers differ from its server's. Then most of what it shows must match.
  for (let at = sides.length - 1; at >= 0; at--) {
    const fit = possible(at);
    if (fit && 2 * fit.alike >= page.length && fit.common > (best?.common ?? 0)) best = fit;
  }
  return best;
}

function fits(sides: Side[], page: Side[], at: number, ids: Set<string> | null): Fit | null {
  const overlap = Math.min(page.length, sides.length - at);
  const sum = { a: 0, b: 0, common: 0 };
  let alike = 0;
  let odd = 0;
  for (let i = 0; i < overlap; i++) {
    const [p, s] = [page[i]!, sides[at + i]!];
    // A message that the server did not have yet is newer.
    if (ids && p.ids.length > 0 && !p.ids.some((id) => ids.has(id)) && p.ids.some((id) => id !== '')) break;
    const one = compare(p, s);
    const last = i === page.length - 1 && at + i === sides.length - 1;
    if (last && !agrees(one) && 3 * one.common >= 2 * Math.min(one.a, one.b)) {
      // The last answer was still being written when it was loaded, or is being written now.
      if (one.b >= one.a) alike = i + 1;
      break;
    }
    if (agrees(one)) {
      alike = i + 1;
      sum.a += one.a;
      sum.b += one.b;
      sum.common += one.common;
    } else odd++;
  }
  // One edited message and its answer make another branch; more differences mean another conversation.
  const between = page.slice(0, alike).length - countAlike(sides, page, at, alike);
  if (sum.common === 0 || !agrees(sum) || between > alike / 3 || odd - between > 2) return null;
  return { at, alike, common: sum.common, cut: alike < page.length };
}

function countAlike(sides: Side[], page: Side[], at: number, alike: number): number {
  let n = 0;
  for (let i = 0; i < alike; i++) if (agrees(compare(page[i]!, sides[at + i]!))) n++;
  return n;
}

function joined(
  head: PageItem[],
  sides: Side[],
  page: Side[],
  fit: Fit,
  answers: NonNullable<Facts['answer']>[],
): Whole {
  const loaded = fit.cut ? sides.slice(0, fit.at + fit.alike) : sides;
  const newer = page.slice(fit.alike).map((p) => withAnswer(p, answers));
  const all = [...loaded, ...newer];
  const sum = (of: 'files' | 'pictures' | 'reports' | 'unreadable'): number => all.reduce((n, s) => n + s[of], 0);
  const shown = page.slice(0, fit.alike);
  return {
    items: [...head, ...all.flatMap((s) => s.items)],
    turns: all.length,
    files: sum('files'),
    pictures: sum('pictures'),
    // No server response is known to contain the text of a report.
    reports: sum('reports') + shown.reduce((n, p) => n + p.reports, 0),
    unreadable: sum('unreadable'),
  };
}

/** Returns an answer on the page, with the items from its stream if that was seen. */
function withAnswer(p: Side, answers: NonNullable<Facts['answer']>[]): Side {
  if (p.side !== 'assistant') return p;
  const shown = shownWords(p);
  const found = answers.find((a) => a.shown !== '' && agrees(agreement(words(a.shown), shown)));
  return found ? { ...p, items: found.items } : p;
}

/**
 * Returns the items of a page whose conversation was not seen to load, with the items from the streams that were seen.
 */
export function withAnswers(rows: Row[], answers: NonNullable<Facts['answer']>[]): PageItem[] {
  if (answers.length === 0) return rows.flatMap((r) => r.content?.items ?? []);
  return sidesOfPage(rows).flatMap((p) => withAnswer(p, answers).items);
}

/**
 * Returns the newly loaded turns, followed by the old ones if they continue the same conversation; a conversation that
 * was loaded again replaces the old one.
 */
export function extended(old: Loaded | undefined, now: Loaded): Loaded {
  if (!old || old.conversation !== now.conversation || now.leaf !== null || old.leaf !== null) return now;
  const ids = new Set(old.messages.map((s) => s.id));
  if (now.messages.some((s) => ids.has(s.id))) return now;
  return { ...now, messages: [...now.messages, ...old.messages] };
}
