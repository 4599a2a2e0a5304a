// Copyright The ctx-lsp authors. MIT licence.

import { type Site, visibleText } from './site'

/** chatgpt.com: every message is an element with its author's role and, for answers, the model's slug. */
export const chatgpt: Site = {
  id: 'chatgpt',
  name: 'ChatGPT',
  provider: 'openai',
  matches: (url) => url.hostname === 'chatgpt.com' || url.hostname === 'chat.openai.com',
  conversation(url) {
    const m = /\/c\/([\w-]+)/.exec(url.pathname)
    return m ? m[1]! : url.pathname === '/' || url.pathname.startsWith('/g/') ? 'new' : null
  },
  model(page) {
    const answers = page.querySelectorAll('[data-message-model-slug]')
    const slug = answers[answers.length - 1]?.getAttribute('data-message-model-slug')
    if (slug) return slug.replace(/-(thinking|instant|pro|auto)$/, '').replace(/^gpt-(\d+)-(\d+)/, 'gpt-$1.$2')
    const label = page.querySelector('[data-testid="model-switcher-dropdown-button"]')?.textContent ?? ''
    const m = /\b(\d+(?:\.\d+)?o?)\b/.exec(label)
    return m ? `gpt-${m[1]}` : null
  },
  messages(page) {
    const found = [...page.querySelectorAll('[data-message-author-role]')]
    if (found.length > 0) return found
    // A page with turns but without the attribute is one we do not know.
    return page.querySelector('main article, [data-testid^="conversation-turn"]') ? null : []
  },
  kind: (message) => {
    const role = message.getAttribute('data-message-author-role')
    return role === 'user' ? 'user' : role === 'tool' ? 'toolResults' : 'assistant'
  },
  text: (message) => visibleText(message, 'button, [aria-hidden="true"], .sr-only, style, script'),
  draft: (page) => page.querySelector<HTMLElement>('#prompt-textarea, textarea[data-id]'),
}

// Test pages: https://chatgpt.com/ , https://chatgpt.com/c/…
