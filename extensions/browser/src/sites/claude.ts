// Copyright The ctx-lsp authors. MIT licence.

import { fromClaudeLabel } from './models';
import { allRead, outermost, type Site, visibleText } from './site';

const message = '[data-testid="user-message"], .font-claude-response, .font-claude-message';
const turn = '[data-test-render-count]';

/** claude.ai: messages of the user have a test id, and answers a class. */
export const claude: Site = {
  id: 'claude',
  name: 'Claude',
  provider: 'anthropic',
  attributes: ['data-testid', 'data-is-streaming'],
  matches: (url) => url.hostname === 'claude.ai',
  conversation(url) {
    const m = /\/chat\/([\w-]+)/.exec(url.pathname);
    return m ? m[1]! : /^\/(new|project\/[\w-]+)?$/.test(url.pathname) ? 'new' : null;
  },
  model: (page) => fromClaudeLabel(page.querySelector('[data-testid="model-selector-dropdown"]')?.textContent ?? ''),
  messages: (page) => (allRead(page, turn, message) ? outermost(page, message) : null),
  kind: (element) => (element.matches('[data-testid="user-message"]') ? 'user' : 'assistant'),
  text: (element) => visibleText(element, 'button, [aria-hidden="true"], .sr-only, style, script'),
  attachments(element) {
    // Attachments are shown beside the message, in the same turn.
    const around = element.matches('[data-testid="user-message"]') ? (element.closest(turn) ?? element) : element;
    return {
      images: [...around.querySelectorAll('img')],
      files: around.querySelectorAll('[data-testid="file-thumbnail"]').length,
    };
  },
  draft: (page) =>
    page.querySelector<HTMLElement>('div.ProseMirror[contenteditable="true"], [data-testid="chat-input"]'),
};

// Test pages: https://claude.ai/new , https://claude.ai/chat/… , https://claude.ai/project/…
