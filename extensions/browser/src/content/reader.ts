// Copyright The ctx-lsp authors. MIT licence.

import { chain, digest, type PageItem } from '../messages'
import type { Site } from '../sites/site'

/** What a page shows, and from which message on it differs from what the worker was sent. */
export interface Change {
  from: number
  before: number
  items: PageItem[]
}

/**
 * Reads messages, and reads them again only where the page has changed. A page that rewrites itself costs the messages it
 * touched, not the conversation.
 */
export class Reader {
  private known = new WeakMap<Element, PageItem>()
  private sent: number[] = []

  constructor(private readonly site: Site) {}

  /** Forgets what was read of the message around a node that changed. */
  touch(node: Node): void {
    for (let e = node instanceof Element ? node : node.parentElement; e; e = e.parentElement) this.known.delete(e)
  }

  /** Forgets what the worker was sent. */
  resend(): void {
    this.sent = []
  }

  /** What has changed since the last call; null if nothing has, 'unknown' for a page that cannot be understood. */
  read(page: Document): Change | null | 'unknown' {
    const elements = this.site.messages(page)
    if (!elements) return 'unknown'
    const items = elements.map((e) => this.item(e))
    let from = 0
    let before = 0
    while (from < items.length && from < this.sent.length && items[from]!.digest === this.sent[from]) {
      before = chain(before, items[from]!.digest)
      from++
    }
    if (from === items.length && from === this.sent.length) return null
    this.sent = items.map((i) => i.digest)
    return { from, before, items: items.slice(from) }
  }

  private item(element: Element): PageItem {
    let item = this.known.get(element)
    if (!item) {
      const kind = this.site.kind(element)
      const text = this.site.text(element)
      item = { kind, text, digest: digest(text, digest(kind)) }
      this.known.set(element, item)
    }
    return item
  }
}
