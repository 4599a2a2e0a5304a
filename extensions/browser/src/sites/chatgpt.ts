// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** The button at the field that names the mode, and the one at the top of the page that names the model. */
const pill = ['[data-codex-intelligence-trigger]', 'button.__composer-pill'];
const picker = ['[data-testid="model-switcher-dropdown-button"]', 'button[aria-label*="current model is"]'];

/** chatgpt.com: every message is an element with its author's role; answers also have the model's slug. */
export const site: SiteData = {
  ...blank,
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

  message: ['[data-message-author-role]'],
  user: ['[data-message-author-role="user"]'],
  tool: ['[data-message-author-role="tool"]'],
  role: { attribute: 'data-turn', user: 'user', assistant: 'assistant' },
  drop: ['button', '[aria-hidden="true"]', '.sr-only', 'style', 'script', '[class*="file-tile"]'],
  tracking: ['[?&]utm_source=chatgpt\\.com$'],
  files: ['[class*="file-tile"]', '[role="group"][aria-label]:has([data-default-action])'],
  pictures: ['[class*="imagegen-image"]'],
  reports: ['iframe'],

  draft: ['#prompt-textarea', 'textarea[data-id]'],
  composer: ['form[data-type="unified-composer"]', 'form:has(#prompt-textarea)'],
  send: ['[data-testid="send-button"]', '#composer-submit-button'],
  theme: [{ at: ['html'], attribute: 'class', dark: '(?:^|\\s)dark(?:\\s|$)' }],
  model: {
    slug: [{ at: ['[data-message-model-slug]'], attribute: 'data-message-model-slug' }],
    chosen: [{ at: picker }, { at: picker, attribute: 'aria-label' }, { at: pill }],
    names: [
      { pattern: '\\b(\\d+(?:\\.\\d+)?o?)(?![\\w.])', model: 'gpt-$1' },
      { pattern: '\\b(o\\d)(?![\\w.])', model: '$1' },
    ],
    // "gpt-5-5-thinking" is gpt-5.5, "gpt-4o" and "o3" are themselves.
    ids: [
      { pattern: '^(gpt-\\d+)-(\\d+)(?!\\d)(.*?)(?:-(?:thinking(?:-mini)?|instant|auto|t-mini))?$', model: '$1.$2$3' },
      { pattern: '^(gpt-.+?|o\\d.*?)(?:-(?:thinking(?:-mini)?|instant|auto|t-mini))?$', model: '$1' },
    ],
  },
  modes: {
    places: [
      { at: pill, alone: true },
      { at: picker, alone: true },
      { at: picker, attribute: 'aria-label' },
      { at: ['[data-message-model-slug]'], attribute: 'data-message-model-slug', raw: true },
    ],
    // As of May 2026, the picker has Instant, Medium, High, Extra High, Pro Standard and Pro Extended; its earlier
    // names were Instant, Thinking with Light, Standard, Extended or Heavy, and Pro.
    list: [
      { id: 'pro', texts: ['\\bpro\\b'], slugs: ['-pro$'] },
      {
        id: 'thinking',
        texts: [
          '\\bthinking\\b',
          '\\b(?:medium|high)$',
          '^(?:light|standard|extended|heavy)$',
          'nachdenken',
          '^(?:mittel|hoch|(?:sehr|extra) hoch)$',
          '思考',
          '^(?:中|高|[极極超]高)$',
        ],
        slugs: ['-thinking(?:-mini)?$', '-t-mini$'],
      },
      {
        id: 'instant',
        texts: ['\\binstant\\b', '^sofort$', '^即[时時]$'],
        slugs: ['^gpt-\\d+(?:-\\d+)?(?:-instant)?$'],
      },
      { id: 'auto', texts: ['^auto$', '^automatisch$', '^自[动動]$'], slugs: ['-auto$', '^auto$'] },
    ],
    none: [
      '^(?:chatgpt|gpt)?[ -]?(?:\\d[\\d.]*o?)?$',
      '^(?:search|web search|deep research|create image|study(?: and learn)?|agent(?: mode)?|canvas)$',
      '^(?:suche|websuche|deep research|bild erstellen|lernen|canvas)$',
      '^(?:搜索|深度研究|创建图片)$',
    ],
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
    // The source does not give the window of a mode that is missing here.
    list: [
      { id: 'free', name: 'Free', windows: { instant: 16_000 }, told: ['free'] },
      { id: 'plus', name: 'Plus', windows: { instant: 32_000, thinking: 256_000 }, told: ['plus'] },
      { id: 'business', name: 'Business', windows: { instant: 32_000, thinking: 256_000 }, told: ['team', 'business'] },
      { id: 'pro', name: 'Pro', windows: { instant: 128_000, thinking: 400_000 }, told: ['pro'] },
      {
        id: 'enterprise',
        name: 'Enterprise, Edu',
        windows: { instant: 128_000, thinking: 256_000 },
        told: ['enterprise', 'edu'],
      },
    ],
  },
  end: 'drops',
  // `least` is the smallest published copy, `usual` the smallest of a model with all tools.
  unseen: {
    asOf: '2026-04-30',
    sources: [
      'https://tokenpricing.dev/system-prompts-cost, ChatGPT with all tools',
      'https://github.com/asgeirtj/system_prompts_leaks, OpenAI',
    ],
    sizes: [
      { model: '\\bmini\\b', least: 1_000, usual: 1_000, most: 28_383 },
      { model: '', least: 1_000, usual: 4_500, most: 28_383 },
    ],
  },
};

// Test pages: https://chatgpt.com/ , https://chatgpt.com/c/… , https://chatgpt.com/g/…
