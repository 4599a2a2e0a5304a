// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../wasm/js/types'

/** One message of a conversation as a page shows it. */
export interface PageItem {
  kind: 'user' | 'assistant' | 'toolResults' | 'media' | 'documents'
  text: string
  /** A digest of kind and text: how both sides know what the other has. */
  digest: number
}

/** From a content script to the worker. */
export type FromPage =
  | {
      type: 'sync'
      site: string
      conversation: string
      title: string
      model: string | null
      /** Items from this index on; `before` is the digest of those ahead of it. */
      from: number
      before: number
      items: PageItem[]
    }
  | { type: 'draft'; text: string }
  | { type: 'usage'; usage: unknown }
  | { type: 'gone' }

/** From the worker to a content script. */
export type ToPage =
  | { type: 'reading'; reading: Reading }
  /** The worker does not have what the page takes it to have. */
  | { type: 'resend' }
  /** The page could not be understood, or the core is not there. */
  | { type: 'unknown'; reason: string }

/** From the popup to the worker, and its answer. */
export type FromPopup = { type: 'list' }
export interface OpenConversation {
  site: string
  title: string
  tab: number
  reading: Reading
}

/** FNV-1a over UTF-16 units, in 32 bits. */
export function digest(text: string, seed = 0x811c9dc5): number {
  let h = seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** Adds an item's digest to that of the items before it. */
export function chain(before: number, item: number): number {
  return Math.imul(before ^ item, 0x01000193) >>> 0
}
