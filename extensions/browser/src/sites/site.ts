// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages'

/**
 * How a chat page is read. An adapter finds elements and says what they are; it never counts, and where the page has
 * changed so that it finds nothing, it says so instead of guessing.
 */
export interface Site {
  id: string
  name: string
  /** Whether the page at this address is one of the site's. */
  matches(url: URL): boolean
  /** The conversation at this address, stable while it is the same one; null on pages that show none. */
  conversation(url: URL): string | null
  /** The id of the model that answers, as the registry spells it; null if the page does not say. */
  model(page: Document): string | null
  /** The elements of the messages in their order. Null when the page cannot be understood. */
  messages(page: Document): Element[] | null
  kind(message: Element): PageItem['kind']
  /** The text of a message, without the page's own buttons and labels. */
  text(message: Element): string
  /** Where the person types. */
  draft(page: Document): HTMLElement | null
  /** What the page's own responses are sent by, for usage that they may carry. */
  provider: string
}

/** Text of an element without what only the page put there. */
export function visibleText(element: Element, without: string): string {
  if (!element.querySelector(without)) return element.textContent ?? ''
  const copy = element.cloneNode(true) as Element
  for (const extra of copy.querySelectorAll(without)) extra.remove()
  return copy.textContent ?? ''
}

/** "Claude Opus 4.5" is claude-opus-4-5, "Sonnet 5" is claude-sonnet-5. */
export function claudeModel(label: string): string | null {
  const m = /\b(opus|sonnet|haiku|fable)\s+(\d+)(?:[.-](\d+))?/i.exec(label)
  return m ? `claude-${m[1]!.toLowerCase()}-${m[2]}${m[3] ? '-' + m[3] : ''}` : null
}

/** The text of a field, whether it is a text area or an editable element. */
export function typed(field: HTMLElement): string {
  return field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement ? field.value : (field.innerText ?? field.textContent ?? '')
}
