// Copyright The ctx-lsp authors. MIT licence.

import { type Site, visibleText } from './site'

/** gemini.google.com: custom elements for what was asked and what was answered. */
export const gemini: Site = {
  id: 'gemini',
  name: 'Gemini',
  provider: 'google',
  matches: (url) => url.hostname === 'gemini.google.com',
  conversation(url) {
    const m = /\/app\/(\w+)/.exec(url.pathname)
    return m ? m[1]! : /\/app\/?$/.test(url.pathname) ? 'new' : null
  },
  model(page) {
    const label = page.querySelector('bard-mode-switcher, [data-test-id="bard-mode-menu-button"]')?.textContent ?? ''
    const m = /(\d+(?:\.\d+)?)\s*(pro|flash)/i.exec(label)
    return m ? `gemini-${m[1]}-${m[2]!.toLowerCase()}` : null
  },
  messages(page) {
    const found = [...page.querySelectorAll('user-query, model-response')]
    if (found.length > 0) return found
    return page.querySelector('.conversation-container') ? null : []
  },
  kind: (message) => (message.localName === 'user-query' ? 'user' : 'assistant'),
  text(message) {
    const body = message.querySelector('.query-text, message-content')
    return visibleText(body ?? message, 'button, [aria-hidden="true"], .cdk-visually-hidden, style, script')
  },
  draft: (page) => page.querySelector<HTMLElement>('rich-textarea .ql-editor, div[contenteditable="true"][role="textbox"]'),
}

// Test pages: https://gemini.google.com/app , https://gemini.google.com/app/…
