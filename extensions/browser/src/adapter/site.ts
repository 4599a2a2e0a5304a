// Copyright The ctx-lsp authors. MIT licence.

import { written } from '../content/written';
import type { PageItem } from '../messages';
import type { SiteData } from './data';

/**
 * How a chat page is read: `adapter.ts` creates it from a site's data. It finds elements and classifies them, but never
 * counts tokens. If the page has changed so that some or all elements are not found, the reader notices and does not
 * guess.
 */
export interface Site {
  data: SiteData;
  id: string;
  name: string;
  /** The provider of the models on this site, as the registry spells it; empty if the page does not show it. */
  provider: string;
  /** Attributes that identify messages. A change to one of them counts as a change of the page. */
  attributes: string[];
  /** Reports whether the page at this address belongs to the site. */
  matches(url: URL): boolean;
  /**
   * Returns the id of the conversation at this address, which stays the same as long as the conversation does; 'new'
   * before it has one; null if there is no conversation.
   */
  conversation(url: URL): string | null;
  /**
   * Returns the id of the chosen model, otherwise that of the last one that answered; null if the page names neither.
   */
  model(page: Document): string | null;
  /** Whether the site's pages never name a model, so that it was never known. */
  namesNoModel: boolean;
  /** Returns the id of the chosen mode; null if the page does not show it, or the site has only one mode. */
  mode(page: Document): string | null;
  /** Returns the places of turns in the page, in their order, including shells for turns that are not in it. */
  places(page: Document): TurnPlace[];
  /** Returns the place that an element currently is, or undefined. */
  placeAt(element: Element): TurnPlace | undefined;
  /** Reports whether an element may be such a place or contain one. */
  holdsPlace(element: Element): boolean;
  /** Reports whether an element names the model or the mode, or is inside one that does. */
  namesModel(element: Element): boolean;
  /** Reports whether an element names the model or the mode, or contains one that does. */
  holdsModel(element: Element): boolean;
  turn(place: TurnPlace): Turn;
  /** Returns the page's own number of turns; null if it does not show one. */
  total(page: Document): number | null;
  kind(message: Element): PageItem['kind'];
  /** Returns the text of a message, without the page's own buttons and labels. */
  text(message: Element): string;
  /** Returns the images in a message, and the number of files whose content is not shown. */
  attachments(message: Element): Attachments;
  /** Returns how many images, reports and files a turn contains outside of messages. */
  beside(turn: Element): { pictures: number; reports: number; files: number };
  /** Returns the field that the user types in. */
  draft(page: Document): HTMLElement | null;
  /** Returns the controls around that field. */
  composer(page: Document): HTMLElement | null;
  /** Returns the send button. */
  send(page: Document): HTMLElement | null;
  /** Returns the theme that the user has chosen on the page; null if the page does not show it. */
  theme(page: Document): 'dark' | 'light' | null;
}

/** An element for a turn, with any number of readable messages in it. */
export interface TurnPlace {
  element: Element;
  /** Whether it is only a placeholder for a turn that is not in the page. */
  shell: boolean;
}

/** The content of such a place. */
export interface Turn extends TurnPlace {
  messages: Element[];
  /** A value that stays the same wherever the turn is shown. */
  key: string | null;
  /** The server's ids of the turn and its messages. */
  ids: string[];
  /** The turn's position in the conversation, starting at 0. */
  position: number | null;
  role: 'user' | 'assistant' | null;
}

export interface Attachments {
  images: HTMLImageElement[];
  files: number;
}

/** Returns the text of an element as it was written, without parts that only the page has added. */
export const visibleText = written;

/** Returns the outermost elements that match a selector. */
export function outermost(page: Document, selector: string): Element[] {
  return [...page.querySelectorAll(selector)].filter((e) => !e.parentElement?.closest(selector));
}

/**
 * Reports whether these items can be a conversation. If only one side was found, or answers have no text, only a part
 * of the page was understood.
 */
export function plausible(items: PageItem[]): boolean {
  const asked = items.filter((i) => i.kind === 'user');
  const answers = items.filter((i) => i.kind === 'assistant');
  if (asked.length > 2 && answers.length === 0) return false;
  if (answers.length > 2 && asked.length === 0) return false;
  return !(answers.length > 1 && answers.every((a) => a.text.trim() === ''));
}

/** Returns the text of a field, whether it is a text area or an editable element. */
export function typed(field: HTMLElement): string {
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) return field.value;
  // innerText would force a layout; the paragraphs of an editor are the field's children.
  const blocks = [...field.children].filter((c) => /^(P|DIV|PRE|LI|UL|OL|H\d|BLOCKQUOTE)$/.test(c.tagName));
  if (blocks.length === 0) return field.textContent ?? '';
  return [...field.childNodes]
    .map((n) => n.textContent ?? '')
    .join('\n')
    .trim();
}
