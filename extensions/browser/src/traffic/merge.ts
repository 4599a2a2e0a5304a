// Copyright The ctx-lsp authors. MIT licence.

import type { Content, Row } from '../content/thread';
import type { PageItem } from '../messages';
import { type Agreement, agreement, agrees, words } from './agree';
import { branch, type Facts, type Loaded, type Said } from './loaded';

/** A conversation with what its page has loaded, and what the page shows beyond that. */
export interface Whole {
  items: PageItem[];
  turns: number;
  files: number;
  pictures: number;
  reports: number;
  unreadable: number;
}

/** All that one side says before the other answers. */
interface Side {
  side: 'user' | 'assistant';
  shown: string;
  items: PageItem[];
  ids: string[];
  /** Which message of the conversation its first one is, where that is known. */
  from: number | null;
  files: number;
  pictures: number;
  reports: number;
  unreadable: number;
}

/** Other branches that are tried where the page does not say by its keys which one it shows. */
const mostBranches = 20;

const known = new WeakMap<Side, Map<string, number>>();
const counted = new WeakMap<PageItem, Map<string, number>>();
const compared = new WeakMap<PageItem, WeakMap<Side, Agreement>>();
const split = new WeakMap<Loaded, Map<string | null, { head: PageItem[]; sides: Side[] }>>();

/**
 * Puts what was loaded in the places of what the page shows, as far as they agree; what the page shows after that is
 * newer. Null when the two contradict each other: then what was loaded is of another branch, another conversation, or
 * made up.
 */
export function merged(loaded: Loaded, rows: Row[], answers: NonNullable<Facts['answer']>[]): Whole | null {
  const page = sidesOfPage(rows);
  if (page.length === 0) return null;
  const byId = new Set(loaded.said.map((s) => s.id));
  const hasIds = page.some((p) => p.ids.some((id) => byId.has(id)));
  for (const leaf of leaves(loaded, hasIds ? page : [])) {
    const { head, sides } = cutInSides(loaded, leaf);
    const fit = placed(sides, page, hasIds ? byId : null);
    if (fit) return joined(head, sides, page, fit, answers);
    if (leaf !== null) continue;
    // Where turns are loaded as one scrolls, the page may show more of them than were seen to load.
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

/** What is kept of a thing, made when it is asked for first. */
function kept<K, V>(all: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const old = all.get(key);
  if (old !== undefined) return old;
  const made = make();
  all.set(key, made);
  return made;
}

/** The ends of the branches to try: the one in which the page's last known message is, else the chosen one first. */
function leaves(loaded: Loaded, page: Side[]): (string | null)[] {
  if (loaded.leaf === null) return [null];
  const children = new Map<string, string[]>();
  for (const s of loaded.said) if (s.parent !== null) children.set(s.parent, [...(children.get(s.parent) ?? []), s.id]);
  const chosen = new Set(branch(loaded, loaded.leaf).map((s) => s.id));
  const all = new Set(loaded.said.map((s) => s.id));
  const shown = page.flatMap((p) => p.ids).filter((id) => all.has(id));
  const last = shown[shown.length - 1];
  if (last !== undefined) {
    if (chosen.has(last)) return [loaded.leaf];
    let at = last;
    for (let n = 0; n < loaded.said.length; n++) {
      const next = children.get(at);
      if (!next) break;
      at = next[next.length - 1]!;
    }
    return [at];
  }
  const ends = loaded.said.filter((s) => !children.has(s.id) && s.id !== loaded.leaf).map((s) => s.id);
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

function sidesOf(said: Said[]): { head: PageItem[]; sides: Side[] } {
  const sides: Side[] = [];
  const head: PageItem[] = [];
  for (const [i, s] of said.entries()) {
    // What comes before the first message, and is shown nowhere, are the site's own instructions.
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

/** The only text of a side of the page, by which what was found out about it can be kept. */
function onlyText(p: Side): PageItem | null {
  const texts = p.items.filter((i) => i.kind === 'user' || i.kind === 'assistant');
  return texts.length === 1 ? texts[0]! : null;
}

function shownWords(p: Side): Map<string, number> {
  const text = onlyText(p);
  return text ? kept(counted, text, () => words(text.text)) : wordsOf(p);
}

/** How far a side of the page agrees with one that was loaded. */
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

/** Where the page's first side is in the branch, and how many of the page's sides are as they were loaded. */
interface Fit {
  at: number;
  alike: number;
  /** How many words they have in common. */
  common: number;
  /** Whether the page shows something else after these, so that the rest of the branch is not sent. */
  cut: boolean;
}

/** By so many places the page's numbers may differ from the places in the branch. */
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
  // Keys say it better than numbers, which count otherwise than the server where it has hidden messages.
  const number = ids ? null : page[0]!.from;
  for (let at = sides.length - 1; at >= 0; at--) {
    if (number !== null && Math.abs((sides[at]!.from ?? 0) - number) > slack) continue;
    const fit = possible(at);
    if (fit && fit.common > (best?.common ?? 0)) best = fit;
  }
  if (best || number === null) return best;
  // The page counts otherwise than its server. Then most of what it shows must be there.
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
    // A message that the server did not know yet is a newer one.
    if (ids && p.ids.length > 0 && !p.ids.some((id) => ids.has(id)) && p.ids.some((id) => id !== '')) break;
    const one = compare(p, s);
    const last = i === page.length - 1 && at + i === sides.length - 1;
    if (last && !agrees(one) && 3 * one.common >= 2 * Math.min(one.a, one.b)) {
      // The last answer was being written when it was loaded, or is now.
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
  // One message that was edited, and its answer, are another branch; more than that is another conversation.
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
    // No server's answer has been seen that holds a report's text.
    reports: sum('reports') + shown.reduce((n, p) => n + p.reports, 0),
    unreadable: sum('unreadable'),
  };
}

/** What the page shows of an answer, with what only the stream has told of it. */
function withAnswer(p: Side, answers: NonNullable<Facts['answer']>[]): Side {
  if (p.side !== 'assistant') return p;
  const shown = shownWords(p);
  const found = answers.find((a) => a.shown !== '' && agrees(agreement(words(a.shown), shown)));
  return found ? { ...p, items: found.items } : p;
}

/** The same for a page whose conversation was never seen to load. */
export function withAnswers(rows: Row[], answers: NonNullable<Facts['answer']>[]): PageItem[] {
  if (answers.length === 0) return rows.flatMap((r) => r.content?.items ?? []);
  return sidesOfPage(rows).flatMap((p) => withAnswer(p, answers).items);
}

/** Earlier turns that came after later ones, in front of them; a conversation that was loaded again takes its place. */
export function extended(old: Loaded | undefined, now: Loaded): Loaded {
  if (!old || old.conversation !== now.conversation || now.leaf !== null || old.leaf !== null) return now;
  const ids = new Set(old.said.map((s) => s.id));
  if (now.said.some((s) => ids.has(s.id))) return now;
  return { ...now, said: [...now.said, ...old.said] };
}
