// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from './data';

/** chatgpt.com: every message is an element with its author's role, and answers also have the model's slug. */
export const chatgpt: SiteData = {
  id: 'chatgpt',
  name: 'ChatGPT',
  provider: 'openai',
  hosts: ['chatgpt.com', 'chat.openai.com'],
  conversation: ['/c/([\\w-]+)'],
  fresh: ['^/$', '^/g/[^/]+/?(?:project)?$'],
  attributes: ['data-message-author-role', 'data-message-model-slug', 'data-turn-id', 'data-testid'],

  turn: ['[data-testid^="conversation-turn-"]', 'section[data-turn]', 'main article'],
  shell: ['[data-turn-id-container]'],
  noShell: ['^client-created-root$', '^paginated-root:'],
  key: ['data-turn-id', 'data-turn-id-container'],
  keyIsId: true,
  messageKey: ['data-message-id'],
  position: [{ attribute: 'data-testid', pattern: '^conversation-turn-(\\d+)$', first: 1, firstAtMost: 3 }],
  total: [],

  message: ['[data-message-author-role]'],
  user: ['[data-message-author-role="user"]'],
  tool: ['[data-message-author-role="tool"]'],
  role: { attribute: 'data-turn', user: 'user', assistant: 'assistant' },
  body: [],
  drop: ['button', '[aria-hidden="true"]', '.sr-only', 'style', 'script', '[class*="file-tile"]'],
  thinking: [],
  files: ['[class*="file-tile"]', '[role="group"][aria-label]:has([data-default-action])'],
  pictures: ['[class*="imagegen-image"]'],
  reports: ['iframe'],

  draft: ['#prompt-textarea', 'textarea[data-id]'],
  composer: ['form[data-type="unified-composer"]', 'form:has(#prompt-textarea)'],
  send: ['[data-testid="send-button"]', '#composer-submit-button'],
  theme: [{ at: ['html'], attribute: 'class', dark: '(?:^|\\s)dark(?:\\s|$)' }],
  model: {
    slug: [{ at: ['[data-message-model-slug]'], attribute: 'data-message-model-slug' }],
    chosen: [
      { at: ['[data-testid="model-switcher-dropdown-button"]', 'button[aria-label*="current model is"]'] },
      {
        at: ['[data-testid="model-switcher-dropdown-button"]', 'button[aria-label*="current model is"]'],
        attribute: 'aria-label',
      },
      { at: ['button.__composer-pill'] },
    ],
    names: 'openai',
    modes: [],
  },

  answers: [
    {
      path: '^/backend-api/conversation/(?<id>[\\w-]+)(?:\\?.*)?$',
      method: 'GET',
      reads: 'chatgpt',
      carries: ['conversation'],
    },
    { path: '^/backend-(?:api|anon)/(?:f/)?conversation$', method: 'POST', reads: 'chatgpt', carries: ['answer'] },
    { path: '^/backend-(?:api|anon)/models(?:\\?.*)?$', method: 'GET', reads: 'chatgpt', carries: ['models'] },
    { path: '^/backend-api/accounts/check/[^?]+(?:\\?.*)?$', method: 'GET', reads: 'chatgpt', carries: ['plan'] },
  ],
  plans: {
    asOf: '2026-03-15',
    source:
      'https://help.openai.com/en/articles/11909943 as quoted by https://chatai.guide/limits/chatgpt-context-window/',
    list: [
      { id: 'free', name: 'Free', windows: [{ model: '', tokens: 16_000 }], told: ['free'] },
      {
        id: 'plus',
        name: 'Plus',
        windows: [
          { model: 'thinking', tokens: 256_000 },
          { model: '', tokens: 32_000 },
        ],
        told: ['plus', 'go'],
      },
      {
        id: 'business',
        name: 'Business',
        windows: [
          { model: 'thinking', tokens: 256_000 },
          { model: '', tokens: 32_000 },
        ],
        told: ['team', 'business'],
      },
      {
        id: 'pro',
        name: 'Pro',
        windows: [
          { model: 'thinking', tokens: 400_000 },
          { model: '', tokens: 128_000 },
        ],
        told: ['pro'],
      },
      {
        id: 'enterprise',
        name: 'Enterprise, Edu',
        windows: [
          { model: 'thinking', tokens: 256_000 },
          { model: '', tokens: 128_000 },
        ],
        told: ['enterprise', 'edu'],
      },
    ],
  },
  end: 'drops',
  // Its smallest models get a tenth of what the others do.
  unseen: {
    asOf: '2026-04-30',
    source: 'https://tokenpricing.dev/system-prompts-cost, ChatGPT with all tools',
    sizes: [
      { model: '\\bmini\\b', tokens: 1_000 },
      { model: '', tokens: 4_500 },
    ],
    upTo: 28_383,
  },
};

// Test pages: https://chatgpt.com/ , https://chatgpt.com/c/… , https://chatgpt.com/g/…
