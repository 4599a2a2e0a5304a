// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';
import type { Place, Position, Selectors, SiteData } from './data';
import { modelNamed } from './models';
import { modeOf } from './modes';
import { outermost, type Site, type Turn, type TurnPlace, visibleText } from './site';

const join = (s: Selectors): string => s.join(', ');

/** Returns the element that the first matching selector finds; null if none matches. */
export function firstOf(root: ParentNode, selectors: Selectors): HTMLElement | null {
  for (const s of selectors) {
    const found = root.querySelector<HTMLElement>(s);
    if (found) return found;
  }
  return null;
}

function findsAll(root: ParentNode, selectors: Selectors): Element[] {
  return selectors.length === 0 ? [] : [...root.querySelectorAll(join(selectors))];
}

/** Returns the site that its data describes. It finds elements and classifies them, but never counts tokens. */
export function siteOf(data: SiteData): Site {
  const message = join(data.message);
  const turn = join(data.turn);
  const user = join(data.user);
  const tool = join(data.tool);
  const drop = join([...data.drop, ...data.thinking]);
  const conversation = data.conversation.map((p) => new RegExp(p));
  const fresh = data.fresh.map((p) => new RegExp(p));
  const noShell = data.noShell.map((p) => new RegExp(p));
  const keyPart = data.keyPart ? new RegExp(data.keyPart) : null;
  const theme = data.theme.map((t) => ({ ...t, dark: new RegExp(t.dark) }));
  const numbers = data.position.map((p) => ({ ...p, pattern: new RegExp(p.pattern) }));
  const totals = data.total.map((t) => ({ ...t, pattern: new RegExp(t.pattern) }));

  const marks = { lines: join(data.lines), tracking: data.tracking.map((p) => new RegExp(p)) };

  const around = (element: Element): Element => (turn && element.closest(turn)) || element;

  const turnOf = ({ element, shell }: TurnPlace): Turn => {
    const messages = element.matches(message)
      ? [element]
      : [...element.querySelectorAll(message)].filter((m) => !inside(m, message, element));
    const named = data.key.map((a) => attributeNear(element, a)).find((v) => v !== null) ?? null;
    const key = named !== null && keyPart ? (keyPart.exec(named)?.[1] ?? named) : named;
    const own = messages.flatMap((m) => data.messageKey.map((a) => m.getAttribute(a))).filter((v) => v !== null);
    const role = data.role && attributeNear(element, data.role.attribute);
    return {
      element,
      messages,
      key,
      ids: [...own, ...(key !== null && data.keyIsId ? [key] : [])],
      position: positionOf(element, numbers),
      role: !role ? null : role === data.role?.user ? 'user' : role === data.role?.assistant ? 'assistant' : null,
      shell,
    };
  };

  /** Reports whether a shell is empty: a placeholder for a turn, without a turn or a message in it. */
  const isShell = (s: Element): boolean => {
    const key = data.key.map((a) => s.getAttribute(a)).find((v) => v !== null);
    if (!key || noShell.some((p) => p.test(key))) return false;
    return !(turn && (s.matches(turn) || s.querySelector(turn))) && !s.matches(message) && !s.querySelector(message);
  };
  const shell = join(data.shell);
  const anyPlace = join([...data.turn, ...data.message, ...data.shell]);
  const naming = join([...data.model.chosen, ...data.model.slug, ...(data.modes?.places ?? [])].flatMap((p) => p.at));
  const holds = (element: Element, selector: string): boolean =>
    selector !== '' && (element.matches(selector) || element.querySelector(selector) !== null);

  return {
    data,
    id: data.id,
    name: data.name,
    provider: data.provider,
    attributes: [
      ...new Set([
        ...data.attributes,
        ...[...data.key, ...data.messageKey, ...[...data.position, ...data.total].map((p) => p.attribute)],
        ...(data.role ? [data.role.attribute] : []),
      ]),
    ],
    namesNoModel: data.model.chosen.length + data.model.slug.length === 0,
    matches: (url) => data.hosts.includes(url.hostname),
    conversation(url) {
      const path = (data.inHash ? url.hash : url.pathname).slice(0, 400);
      for (const p of conversation) {
        const id = p.exec(path)?.[1];
        if (id) return id;
      }
      return fresh.some((p) => p.test(path)) ? 'new' : null;
    },
    model(page) {
      const { slug, chosen, names, ids, otherwise } = data.model;
      const values = chosen.map((p) => valueAt(page, p)).filter((v) => v !== null);
      for (const name of values) {
        const id = modelNamed(names, name);
        if (id) return id;
      }
      for (const p of slug) {
        const value = valueAt(page, p, true);
        const id = value && modelNamed(ids, value);
        if (id) return id;
      }
      const mode = this.mode(page);
      return data.modes?.list.find((m) => m.id === mode)?.model || otherwise || null;
    },
    mode: (page) => data.modes && modeOf(data.modes, (place, last) => valuesAt(page, place, last)),
    places(page) {
      const turns = turn ? outermost(page, turn) : [];
      const loose = outermost(page, message).filter((m) => !turn || !m.closest(turn));
      const shells = findsAll(page, data.shell).filter(isShell);
      const all = [...turns, ...loose].map((element) => ({ element, shell: false }));
      all.push(...shells.map((element) => ({ element, shell: true })));
      if (loose.length > 0 || shells.length > 0) all.sort((a, b) => inOrder(a.element, b.element));
      return all;
    },
    placeAt(element) {
      const isOutermost = (selector: string): boolean =>
        element.matches(selector) && !element.parentElement?.closest(selector);
      if (turn && isOutermost(turn)) return { element, shell: false };
      if (isOutermost(message) && !(turn && element.closest(turn))) return { element, shell: false };
      return shell !== '' && element.matches(shell) && isShell(element) ? { element, shell: true } : undefined;
    },
    holdsPlace: (element) => holds(element, anyPlace),
    namesModel: (element) => naming !== '' && element.closest(naming) !== null,
    holdsModel: (element) => holds(element, naming),
    turn: turnOf,
    total(page) {
      const at = turn ? page.querySelector(turn) : null;
      if (!at) return null;
      for (const { attribute, pattern } of totals) {
        const n = pattern.exec(attributeNear(at, attribute) ?? '')?.[1];
        if (n && Number(n) <= 1_000_000) return Number(n);
      }
      return null;
    },
    kind(element): PageItem['kind'] {
      if (user && element.matches(user)) return 'user';
      return tool && element.matches(tool) ? 'toolResults' : 'assistant';
    },
    text(element) {
      const body = firstOf(element, data.body) ?? element;
      return visibleText(body, drop, marks);
    },
    attachments(element) {
      // An answer's turn contains only the answer. A question's attachments may be next to the question.
      const at = user && element.matches(user) ? around(element) : element;
      return { images: [...at.querySelectorAll('img')], files: findsAll(at, data.files).length };
    },
    beside: (element) => ({
      pictures: findsAll(element, data.pictures).length,
      reports: findsAll(element, data.reports).length,
      files: findsAll(element, data.files).length,
    }),
    draft: (page) => firstOf(page, data.draft),
    composer: (page) => firstOf(page, data.composer),
    send: (page) => firstOf(page, data.send),
    theme(page) {
      for (const { at, attribute, dark } of theme) {
        const element = firstOf(page, at);
        const value = element && (attribute ? element.getAttribute(attribute) : element.textContent);
        if (value !== null && value !== undefined) return dark.test(value) ? 'dark' : 'light';
      }
      return null;
    },
  };
}

/** Reports whether an element is inside another one that matches the selector, below a root. */
function inside(element: Element, selector: string, root: Element): boolean {
  const outer = element.parentElement?.closest(selector);
  return !!outer && outer !== root && root.contains(outer);
}

/** `Node.DOCUMENT_POSITION_FOLLOWING` */
const following = 4;

export const inOrder = (a: Element, b: Element): number => (a.compareDocumentPosition(b) & following ? -1 : 1);

/** Returns an attribute of an element, of something in it, or of the nearest element around it. */
function attributeNear(element: Element, attribute: string): string | null {
  const own = element.getAttribute(attribute);
  if (own !== null) return own || null;
  const parent = element.parentElement;
  // An element around several turns does not describe any one of them.
  const around = parent && parent.children.length === 1 ? parent.getAttribute(attribute) : null;
  if (around) return around;
  return attribute === 'id' ? null : element.querySelector(`[${attribute}]`)?.getAttribute(attribute) || null;
}

function positionOf(element: Element, numbers: (Omit<Position, 'pattern'> & { pattern: RegExp })[]): number | null {
  for (const { attribute, pattern, first } of numbers) {
    const n = pattern.exec(attributeNear(element, attribute) ?? '')?.[1];
    if (n) return Number(n) - first;
  }
  return null;
}

/** Returns the value at a place, taking the last answer's if last is set; null if there is none. */
const valueAt = (page: ParentNode, place: Place, last = false): string | null => valuesAt(page, place, last)[0] ?? null;

/** Returns the values at the first selector of a place that finds any, taking only the last match if last is set. */
function valuesAt(page: ParentNode, place: Place, last: boolean): string[] {
  for (const s of place.at) {
    const all = [...page.querySelectorAll(s)];
    const values = (last ? all.slice(-1) : all)
      .map((e) => (place.attribute ? e.getAttribute(place.attribute) : shownText(e)))
      .filter((v): v is string => !!v?.trim());
    if (values.length > 0) return values.map((v) => v.slice(0, 200));
  }
  return [];
}

/** Returns the visible text of an element. Pages use hidden text to measure its width. */
function shownText(element: Element): string {
  if (!element.querySelector('[aria-hidden="true"]')) return element.textContent ?? '';
  const copy = element.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return copy.textContent ?? '';
}
