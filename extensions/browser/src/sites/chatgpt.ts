// Copyright The ctx-lsp authors. MIT licence.

import { fromChatGPTLabel, fromSlug } from './models';
import { allRead, type Site, visibleText } from './site';

const message = '[data-message-author-role]';
const turn = '[data-testid^="conversation-turn-"]';

/** chatgpt.com: every message is an element with its author's role, and answers also have the model's slug. */
export const chatgpt: Site = {
  id: 'chatgpt',
  name: 'ChatGPT',
  provider: 'openai',
  attributes: ['data-message-author-role', 'data-message-model-slug'],
  matches: (url) => url.hostname === 'chatgpt.com' || url.hostname === 'chat.openai.com',
  conversation(url) {
    const m = /\/c\/([\w-]+)/.exec(url.pathname);
    return m ? m[1]! : url.pathname === '/' || /^\/g\/[^/]+\/?(project)?$/.test(url.pathname) ? 'new' : null;
  },
  model(page) {
    const answers = page.querySelectorAll('[data-message-model-slug]');
    const slug = answers[answers.length - 1]?.getAttribute('data-message-model-slug');
    return (
      (slug && fromSlug(slug)) ||
      fromChatGPTLabel(page.querySelector('[data-testid="model-switcher-dropdown-button"]')?.textContent ?? '')
    );
  },
  messages(page) {
    if (!allRead(page, turn, message)) return null;
    const found = [...page.querySelectorAll(message)];
    return found.length === 0 && page.querySelector('main article') ? null : found;
  },
  kind(element) {
    const role = element.getAttribute('data-message-author-role');
    return role === 'user' ? 'user' : role === 'tool' ? 'toolResults' : 'assistant';
  },
  text: (element) =>
    visibleText(element, 'button, [aria-hidden="true"], .sr-only, style, script, [class*="file-tile"]'),
  attachments: (element) => ({
    images: [...element.querySelectorAll('img')],
    files: element.querySelectorAll('[class*="file-tile"]').length,
  }),
  draft: (page) => page.querySelector<HTMLElement>('#prompt-textarea, textarea[data-id]'),
};

// Test pages: https://chatgpt.com/ , https://chatgpt.com/c/… , https://chatgpt.com/g/…
