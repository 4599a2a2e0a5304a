// Copyright The ctx-lsp authors. MIT licence.

import { fromGeminiLabel } from './models';
import { allRead, type Site, visibleText } from './site';

const message = 'user-query, model-response';

/** gemini.google.com: questions and answers are custom elements, and each turn has a container. */
export const gemini: Site = {
  id: 'gemini',
  name: 'Gemini',
  provider: 'google',
  attributes: ['aria-busy'],
  matches: (url) => url.hostname === 'gemini.google.com',
  conversation(url) {
    const m = /\/(?:app|gem\/[\w-]+)\/(\w+)/.exec(url.pathname);
    return m ? m[1]! : /\/(app|gem\/[\w-]+)\/?$/.test(url.pathname) ? 'new' : null;
  },
  model: (page) =>
    fromGeminiLabel(
      page.querySelector('bard-mode-switcher, [data-test-id="bard-mode-menu-button"]')?.textContent ?? '',
    ),
  messages: (page) => (allRead(page, '.conversation-container', message) ? [...page.querySelectorAll(message)] : null),
  kind: (element) => (element.localName === 'user-query' ? 'user' : 'assistant'),
  text(element) {
    const body = element.querySelector('.query-text, message-content');
    return visibleText(body ?? element, 'button, [aria-hidden="true"], .cdk-visually-hidden, style, script');
  },
  attachments: (element) => ({
    images: [...element.querySelectorAll('img')],
    files: element.querySelectorAll('user-query-file-preview, .new-file-preview-container').length,
  }),
  draft: (page) =>
    page.querySelector<HTMLElement>('rich-textarea .ql-editor, div[contenteditable="true"][role="textbox"]'),
};

// Test pages: https://gemini.google.com/app , https://gemini.google.com/app/…
