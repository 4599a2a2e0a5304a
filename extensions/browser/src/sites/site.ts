// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';

/**
 * How a chat page is read. An adapter finds elements and says what they are, but never counts. Where the page has
 * changed so that the adapter finds nothing, or not everything, it says so instead of guessing.
 */
export interface Site {
  id: string;
  name: string;
  /** The provider of the models that answer here, as the registry spells it; empty if the page does not say. */
  provider: string;
  /** Attributes by which messages are found. A change of one of them is a change of the page. */
  attributes: string[];
  /** Whether the page at this address is one of the site's. */
  matches(url: URL): boolean;
  /**
   * The id of the conversation at this address, which stays while it is the same one; 'new' before it has a name; null
   * where there is none.
   */
  conversation(url: URL): string | null;
  /** The id of the model that answers, as the registry spells it; null if the page does not say. */
  model(page: Document): string | null;
  /** The elements of the messages in their order; null when the page cannot be understood. */
  messages(page: Document): Element[] | null;
  kind(message: Element): PageItem['kind'];
  /** The text of a message, without the page's own buttons and labels. */
  text(message: Element): string;
  /** The images in a message, and the number of files whose content is not shown. */
  attachments(message: Element): Attachments;
  /** Where the person types. */
  draft(page: Document): HTMLElement | null;
}

export interface Attachments {
  images: HTMLImageElement[];
  files: number;
}

/** The text of an element without the parts that only the page has added. */
export function visibleText(element: Element, without: string): string {
  if (!element.querySelector(without)) return element.textContent ?? '';
  const copy = element.cloneNode(true) as Element;
  for (const extra of copy.querySelectorAll(without)) extra.remove();
  return copy.textContent ?? '';
}

/** The outermost of the elements that a selector finds. */
export function outermost(page: Document, selector: string): Element[] {
  return [...page.querySelectorAll(selector)].filter((e) => !e.parentElement?.closest(selector));
}

/**
 * Whether every place that holds messages has one that was found. If not, the page has changed, and part of it is not
 * read.
 */
export function allRead(page: Document, places: string, messages: string): boolean {
  return [...page.querySelectorAll(places)].every((p) => p.matches(messages) || p.querySelector(messages));
}

/**
 * Whether what was read can be a conversation. If only one side is found, or answers have no text, only a part of the
 * page was understood.
 */
export function plausible(items: PageItem[]): boolean {
  const asked = items.filter((i) => i.kind === 'user');
  const answers = items.filter((i) => i.kind === 'assistant');
  if (asked.length > 2 && answers.length === 0) return false;
  if (answers.length > 2 && asked.length === 0) return false;
  return !(answers.length > 1 && answers.every((a) => a.text.trim() === ''));
}

/** The text of a field, whether it is a text area or an editable element. */
export function typed(field: HTMLElement): string {
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) return field.value;
  // innerText would make the browser lay the page out; the paragraphs of an editor are the field's children.
  const blocks = [...field.children].filter((c) => /^(P|DIV|PRE|LI|UL|OL|H\d|BLOCKQUOTE)$/.test(c.tagName));
  if (blocks.length === 0) return field.textContent ?? '';
  return [...field.childNodes]
    .map((n) => n.textContent ?? '')
    .join('\n')
    .trim();
}
