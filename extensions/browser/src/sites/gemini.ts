// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** gemini.google.com: questions and answers are custom elements, and each turn has a container. */
export const site: SiteData = {
  ...blank,
  id: 'gemini',
  name: 'Gemini',
  provider: 'google',
  hosts: ['gemini.google.com'],
  conversation: ['/(?:app|gem/[\\w-]+)/(\\w+)'],
  fresh: ['/(?:app|gem/[\\w-]+)/?$'],
  attributes: ['aria-busy'],

  turn: ['.conversation-container'],
  key: ['id'],
  keyIsId: true,
  // Earlier turns are loaded when the user scrolls up, and the page does not show how many there are.
  loadsAtOnce: 10,

  message: ['user-query', 'model-response'],
  user: ['user-query'],
  body: ['.query-text', '.markdown-main-panel', 'message-content'],
  drop: ['button', '[aria-hidden="true"]', '.cdk-visually-hidden', 'style', 'script', 'model-thoughts'],
  thinking: ['model-thoughts'],
  lines: ['.query-text-line'],
  files: ['user-query-file-preview', '.new-file-preview-container'],
  pictures: ['generated-image', 'single-image.generated-image'],
  reports: ['immersive-entry-chip', 'deep-research-immersive-panel'],

  draft: ['rich-textarea .ql-editor', 'div[contenteditable="true"][role="textbox"]'],
  composer: ['input-area-v2', 'form:has(rich-textarea)'],
  send: ['button.send-button', 'button[aria-label="Send message"]'],
  theme: [{ at: ['body'], attribute: 'class', dark: '(?:^|\\s)dark-theme(?:\\s|$)' }],
  model: {
    slug: [],
    chosen: [
      {
        at: ['[data-test-id="bard-mode-menu-button"] [aria-label*="currently"]', 'button[aria-label*="mode picker"]'],
        attribute: 'aria-label',
      },
      { at: ['bard-mode-switcher', '[data-test-id="bard-mode-menu-button"]'] },
    ],
    names: [{ pattern: '(\\d+(?:\\.\\d+)?)\\s*(pro|flash(?:[- ]lite)?)', model: 'gemini-$1-$2' }],
    ids: [],
  },
  modes: {
    places: [
      { at: ['[data-test-id="bard-mode-menu-button"]', 'bard-mode-switcher'] },
      {
        at: ['[data-test-id="bard-mode-menu-button"] [aria-label*="currently"]', 'button[aria-label*="mode picker"]'],
        attribute: 'aria-label',
      },
    ],
    list: [
      { id: 'lite', texts: ['flash.?lite'], slugs: [], model: 'gemini-2.5-flash-lite' },
      { id: 'thinking', texts: ['\\bthinking\\b', 'denken', '思考'], slugs: [], model: 'gemini-3-flash-preview' },
      { id: 'fast', texts: ['\\b(?:fast|flash)\\b', 'schnell', '快速'], slugs: [], model: 'gemini-3-flash-preview' },
      { id: 'pro', texts: ['\\bpro\\b'], slugs: [], model: 'gemini-3-pro-preview' },
    ],
    none: [],
  },

  answers: [
    {
      path: '^/(?:u/\\d+/)?_/BardChatUi/data/batchexecute\\?.*\\brpcids=[^&]*hNvQHb',
      method: 'POST',
      reads: 'gemini',
      carries: ['conversation'],
    },
  ],
  plans: {
    asOf: '2026-03-31',
    source: 'https://support.google.com/gemini/answer/16275805',
    list: [
      { id: 'none', name: 'no Google AI plan', windows: { any: 32_000 }, told: [] },
      { id: 'plus', name: 'Google AI Plus', windows: { any: 128_000 }, told: [] },
      { id: 'pro', name: 'Google AI Pro', windows: { any: 1_000_000 }, told: [] },
      { id: 'ultra', name: 'Google AI Ultra', windows: { any: 1_000_000 }, told: [] },
    ],
  },
  end: 'drops',
  unseen: {
    asOf: '2026-08-22',
    sources: ['https://github.com/asgeirtj/system_prompts_leaks, Google, counted in o200k'],
    sizes: [{ model: '', least: 0, usual: 5_800, most: null }],
  },
};

// Test pages: https://gemini.google.com/app , https://gemini.google.com/app/…
