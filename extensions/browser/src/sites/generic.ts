// Copyright The ctx-lsp authors. MIT licence.

import type { Site } from './site'

/**
 * Any page the person points at: by selectors that the options page keeps for its host. It knows no model, and reads only
 * what it was told to.
 */
export interface Pointed {
  host: string
  user: string
  assistant: string
  draft: string
  model: string
}

export function generic(pointed: Pointed): Site {
  const either = [pointed.user, pointed.assistant].filter(Boolean).join(', ')
  return {
    id: pointed.host,
    name: pointed.host,
    provider: '',
    matches: (url) => url.hostname === pointed.host,
    conversation: (url) => url.pathname,
    model: () => pointed.model || null,
    messages(page) {
      try {
        return either ? [...page.querySelectorAll(either)] : null
      } catch {
        return null // a selector that is none
      }
    },
    kind: (message) => (pointed.user && message.matches(pointed.user) ? 'user' : 'assistant'),
    text: (message) => message.textContent ?? '',
    draft: (page) => (pointed.draft ? page.querySelector<HTMLElement>(pointed.draft) : null),
  }
}

// Test page: any, by the options page.
