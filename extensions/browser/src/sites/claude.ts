// Copyright The ctx-lsp authors. MIT licence.

import { claudeModel, type Site, visibleText } from './site'

/** claude.ai: user messages carry a test id, answers a class of their own. */
export const claude: Site = {
  id: 'claude',
  name: 'Claude',
  provider: 'anthropic',
  matches: (url) => url.hostname === 'claude.ai',
  conversation(url) {
    const m = /\/chat\/([\w-]+)/.exec(url.pathname)
    return m ? m[1]! : /^\/(new|project\/[\w-]+)?$/.test(url.pathname) ? 'new' : null
  },
  model: (page) => claudeModel(page.querySelector('[data-testid="model-selector-dropdown"]')?.textContent ?? ''),
  messages(page) {
    const found = [...page.querySelectorAll('[data-testid="user-message"], .font-claude-response, .font-claude-message')]
    const outer = found.filter((e) => !found.some((o) => o !== e && o.contains(e)))
    if (outer.length > 0) return outer
    return page.querySelector('[data-test-render-count]') ? null : []
  },
  kind: (message) => (message.matches('[data-testid="user-message"]') ? 'user' : 'assistant'),
  text: (message) => visibleText(message, 'button, [aria-hidden="true"], .sr-only, style, script'),
  draft: (page) => page.querySelector<HTMLElement>('div.ProseMirror[contenteditable="true"], [data-testid="chat-input"]'),
}

// Test pages: https://claude.ai/new , https://claude.ai/chat/…
