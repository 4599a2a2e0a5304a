// Copyright The ctx-lsp authors. MIT licence.

/** Selectors of both sides of a conversation, derived from one message of each. */
export interface Found {
  user: string;
  assistant: string;
}

interface Candidate {
  selector: string;
  found: Element[];
  worth: number;
}

/** Words that pages use for one side or the other. */
const roles = /user|human|person|query|question|prompt|asked|assistant|bot|model|answer|response|reply|replied|agent/i;
/** A value that identifies a single message. */
const ownName = /\d{3,}|[0-9a-f]{8,}|^\d+$|.{41}/i;
/** A class that describes a temporary state. */
const state = /^(?:is-|has-|active|hover|focus|open|closed|last|first|selected|even|odd|new|visible|hidden|loading)/i;
const mostCandidates = 60;
const mostLevels = 12;

/**
 * Returns selectors that distinguish the user's messages from the answers; null if there are none. Each side's selector
 * matches the clicked message, but nothing on the other side and nothing that contains both. Names of roles weigh most,
 * then the number of matches.
 */
export function selectorsOf(mine: Element, answer: Element): Found | null {
  if (mine.contains(answer) || answer.contains(mine)) return null;
  const [asked, answered] = [candidates(mine, answer), candidates(answer, mine)];
  let best: Found | null = null;
  let bestWorth = 0;
  for (const a of asked)
    for (const b of answered) {
      if (overlap(a.found, b.found)) continue;
      // Questions and answers alternate, so there are about as many of each.
      const [least, most] = [a.found.length, b.found.length].sort((x, y) => x - y) as [number, number];
      const worth = (a.worth + b.worth) * (0.5 + least / most);
      if (worth > bestWorth) [best, bestWorth] = [{ user: a.selector, assistant: b.selector }, worth];
    }
  return best;
}

/** Returns selectors for an element and the elements around it that do not contain the other side. */
function candidates(element: Element, other: Element): Candidate[] {
  const out: Candidate[] = [];
  let level = 0;
  for (let at: Element | null = element; at && !at.contains(other) && level < mostLevels; at = at.parentElement) {
    level++;
    for (const [selector, base] of namesOf(at)) {
      const found = [...element.ownerDocument.querySelectorAll(selector)];
      if (found.length === 0 || found.some((f) => f.contains(other) || other.contains(f))) continue;
      // A match inside another match of the same selector would be counted twice.
      if (found.some((f) => f.parentElement?.closest(selector))) continue;
      out.push({ selector, found, worth: base + 4 * Math.log2(1 + found.length) + level / 4 });
    }
  }
  return out.sort((a, b) => b.worth - a.worth).slice(0, mostCandidates);
}

/** Returns selectors that may identify an element, each with its score. */
function namesOf(element: Element): [string, number][] {
  const tag = element.localName;
  const out: [string, number][] = [];
  const add = (selector: string, name: string, worth: number): void => {
    out.push([selector, worth + (roles.test(name) ? 12 : 0)]);
  };
  if (tag.includes('-')) add(tag, tag, 8);
  for (const { name, value } of element.attributes) {
    if (!/^(?:data-|aria-roledescription$|itemprop$)/.test(name) || value === '' || ownName.test(value)) continue;
    add(`${tag}[${CSS.escape(name)}="${CSS.escape(value)}"]`, `${name}=${value}`, 6);
  }
  const classes = [...element.classList].filter((c) => !state.test(c) && !ownName.test(c)).slice(0, 12);
  for (const c of classes) add(`.${CSS.escape(c)}`, c, 3);
  for (const [i, a] of classes.slice(0, 6).entries())
    for (const b of classes.slice(i + 1, 6)) add(`.${CSS.escape(a)}.${CSS.escape(b)}`, `${a} ${b}`, 2);
  return out;
}

function overlap(a: Element[], b: Element[]): boolean {
  const all = new Set(a);
  for (const e of b) for (let at: Element | null = e; at; at = at.parentElement) if (all.has(at)) return true;
  const others = new Set(b);
  for (const e of a) for (let at: Element | null = e; at; at = at.parentElement) if (others.has(at)) return true;
  return false;
}

/** Returns the selector of the page's first visible kind of input field; empty if there is none. */
export function fieldOf(page: Document): string {
  for (const selector of ['textarea', '[contenteditable="true"][role="textbox"]', '[contenteditable="true"]'])
    if ([...page.querySelectorAll<HTMLElement>(selector)].some((e) => e.getClientRects().length > 0)) return selector;
  return '';
}
