// Copyright The ctx-lsp authors. MIT licence.

import { inOrder } from '../adapter/adapter';
import type { SiteData } from '../adapter/data';

const mostDepth = 24;
const mostElements = 160;
const mostClasses = 8;

/** The attributes and values that a site's entries name. */
interface Named {
  attributes: Set<string>;
  values: Map<string, Set<string>>;
}

/**
 * Returns the tags of a page's last turns, one of each side, with names of attributes and classes: a line for each
 * element, indented by its depth. It contains only the values that the site's own entries name, and classes without
 * digits, which are words of the page's own code. `test/sites.mjs` makes a page from it.
 */
export function outline(page: Document, site: SiteData): string[] {
  const named = namedBy(site);
  const known = examples(page, site);
  // A page without known turns is described from its top.
  const shown = known.length > 0 ? known : [page.querySelector('main') ?? page.body];
  const root = known.reduce<Element>(around, known[0]?.parentElement ?? shown[0]!);
  const out: string[] = [];
  const add = (e: Element, depth: number): void => {
    if (out.length >= mostElements || depth > mostDepth) return;
    out.push('  '.repeat(depth) + line(e, named));
    const inExample = shown.some((s) => s.contains(e));
    for (const child of e.children) if (inExample || shown.some((s) => child.contains(s))) add(child, depth + 1);
  };
  add(root, 1);
  return out;
}

/** Returns the last turn of each side; without turns, the last message of each side. */
function examples(page: Document, site: SiteData): Element[] {
  const all = found(page, site.message);
  const isUser = (e: Element): boolean => site.user.some((s) => matches(e, s));
  const isAnswer = (e: Element): boolean => !isUser(e);
  const last = [all.filter(isUser).at(-1), all.filter(isAnswer).at(-1)].filter((e) => e !== undefined);
  const turns = last.map((e) => site.turn.map((s) => e.closest(s)).find((t) => t !== null) ?? e);
  return [...new Set(turns)].sort(inOrder);
}

function around(a: Element, b: Element): Element {
  let at = a;
  while (!at.contains(b) && at.parentElement) at = at.parentElement;
  return at;
}

function line(e: Element, { attributes, values }: Named): string {
  const classes = [...e.classList].filter((c) => /^[a-z_:/-]{2,40}$/i.test(c)).slice(0, mostClasses);
  const all = e
    .getAttributeNames()
    .filter((n) => n !== 'style' && n !== 'class' && (n !== 'id' || attributes.has('id')))
    .map((n) => [n.slice(0, 40), namedPart(e.getAttribute(n) ?? '', values.get(n))] as const);
  if (classes.length > 0) all.unshift(['class', classes.join(' ')]);
  return `${e.localName}${all.map(([n, v]) => (v === '' ? `[${n}]` : `[${n}=${JSON.stringify(v)}]`)).join('')}`;
}

/** Returns the part of a value that an entry of the site names; empty for any other value. */
const namedPart = (value: string, named: Set<string> | undefined): string =>
  [...(named ?? [])].filter((v) => value.includes(v)).sort((a, b) => b.length - a.length)[0] ?? '';

function namedBy(site: SiteData): Named {
  const attributes = new Set([...site.key, ...site.messageKey, ...site.attributes]);
  const values = new Map<string, Set<string>>();
  const name = (attribute: string, value: string): void => {
    attributes.add(attribute);
    if (value !== '') values.set(attribute, (values.get(attribute) ?? new Set()).add(value));
  };
  for (const selector of selectorsOf(site)) {
    for (const [, attribute = '', value = ''] of selector.matchAll(
      /\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?[^\]]*)?\]/g,
    ))
      if (attribute !== 'class') name(attribute, value);
    for (const [, id = ''] of selector.matchAll(/#([\w-]+)/g)) name('id', id);
  }
  if (site.role) for (const value of [site.role.user, site.role.assistant]) name(site.role.attribute, value);
  return { attributes, values };
}

const selectorsOf = (site: SiteData): readonly string[] =>
  [site.turn, site.shell, site.message, site.user, site.tool, site.body, site.drop, site.thinking, site.files].flat();

function found(page: Document, selectors: readonly string[]): Element[] {
  try {
    return selectors.length > 0 ? [...page.querySelectorAll(selectors.join())] : [];
  } catch {
    return [];
  }
}

function matches(e: Element, selector: string): boolean {
  try {
    return e.matches(selector);
  } catch {
    return false;
  }
}
