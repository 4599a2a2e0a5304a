// Copyright The ctx-lsp authors. MIT licence.

import { written } from '../content/written';
import type { PageItem } from '../messages';
import type { SiteData } from './data';

/**
 * How a chat page is read: what `adapter.ts` makes of a site's data. It finds elements and says what they are, but
 * never counts. Where the page has changed so that nothing is found, or not everything, the reader sees it and guesses
 * nothing.
 */
export interface Site {
  data: SiteData;
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
  /** The id of the model that is chosen, else of the one that answered last; null if the page does not say. */
  model(page: Document): string | null;
  /** Whether its pages never name a model, so that none is known and none was. */
  namesNoModel: boolean;
  /** The id of the chosen mode; null if the page does not say, or the site has one mode only. */
  mode(page: Document): string | null;
  /** The places of turns in the page, in their order, with the shells that stand for turns which are not in it. */
  places(page: Document): TurnPlace[];
  /** Returns the place that an element is now, or undefined. */
  placeAt(element: Element): TurnPlace | undefined;
  /** Reports whether an element may be such a place, or may contain one. */
  holdsPlace(element: Element): boolean;
  /** Reports whether an element names the model or the mode, or is in one that does. */
  namesModel(element: Element): boolean;
  /** Reports whether an element names the model or the mode, or contains one that does. */
  holdsModel(element: Element): boolean;
  turn(place: TurnPlace): Turn;
  /** How many turns there are by the page's own count. */
  total(page: Document): number | null;
  kind(message: Element): PageItem['kind'];
  /** The text of a message, without the page's own buttons and labels. */
  text(message: Element): string;
  /** The images in a message, and the number of files whose content is not shown. */
  attachments(message: Element): Attachments;
  /** What a turn without a message holds. */
  beside(turn: Element): { pictures: number; reports: number; files: number };
  /** Where the person types. */
  draft(page: Document): HTMLElement | null;
  /** The controls around that field. */
  composer(page: Document): HTMLElement | null;
  /** The button that sends. */
  send(page: Document): HTMLElement | null;
  /** The theme that the person has chosen on the page; null where it does not say. */
  theme(page: Document): 'dark' | 'light' | null;
}

/** An element for a turn, with any number of readable messages in it. */
export interface TurnPlace {
  element: Element;
  /** Whether it only keeps the place of a turn that is not in the page. */
  shell: boolean;
}

/** What is in such a place. */
export interface Turn extends TurnPlace {
  messages: Element[];
  /** What stays the same wherever the turn is shown. */
  key: string | null;
  /** Its key and those of its messages, as the site's server has them. */
  ids: string[];
  /** Which turn of the conversation it is, from 0 on. */
  position: number | null;
  role: 'user' | 'assistant' | null;
}

export interface Attachments {
  images: HTMLImageElement[];
  files: number;
}

/** The text of an element as it was written, without the parts that only the page has added. */
export const visibleText = written;

/** The outermost of the elements that a selector finds. */
export function outermost(page: Document, selector: string): Element[] {
  return [...page.querySelectorAll(selector)].filter((e) => !e.parentElement?.closest(selector));
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
