// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/**
 * claude.ai: messages of the user have a test id, and answers a class. A long conversation has only ten rows in the
 * page.
 */
export const site: SiteData = {
  ...blank,
  id: 'claude',
  name: 'Claude',
  provider: 'anthropic',
  hosts: ['claude.ai'],
  conversation: ['/chat/([\\w-]+)'],
  fresh: ['^/(?:new|project/[\\w-]+)?$'],
  attributes: ['data-testid', 'data-is-streaming', 'data-rs-index'],

  turn: ['[data-rs-index]', '[data-index][aria-setsize]', '[data-test-render-count]'],
  key: ['data-rs-index', 'data-index'],
  position: [
    { attribute: 'data-rs-index', pattern: '^(\\d+)$', first: 0 },
    { attribute: 'data-index', pattern: '^(\\d+)$', first: 0 },
    { attribute: 'aria-label', pattern: '^Message (\\d+) of \\d+$', first: 1 },
  ],
  total: [
    { attribute: 'aria-setsize', pattern: '^(\\d+)$' },
    { attribute: 'aria-label', pattern: '^Message \\d+ of (\\d+)$' },
  ],

  message: ['[data-testid="user-message"]', '.font-claude-response', '.font-claude-message'],
  user: ['[data-testid="user-message"]'],
  drop: ['button', '[aria-hidden="true"]', '.sr-only', 'style', 'script', '#markdown-artifact'],
  thinking: ['.row-start-1'],
  // Attachments are next to the message, in the same turn.
  files: ['[data-testid="file-thumbnail"]'],

  draft: ['div.ProseMirror[contenteditable="true"]', '[data-testid="chat-input"]'],
  composer: ['fieldset:has(.ProseMirror)', '[data-testid="chat-input-grid-container"]'],
  send: ['button[aria-label="Send message"]', 'button[aria-label="Send Message"]', 'fieldset button[type="submit"]'],
  theme: [
    { at: ['html'], attribute: 'data-mode', dark: '^dark$' },
    { at: ['html'], attribute: 'class', dark: '(?:^|\\s)dark(?:\\s|$)' },
  ],
  model: {
    slug: [],
    chosen: [{ at: ['[data-testid="model-selector-dropdown"]'] }],
    names: [
      { pattern: '\\b(opus|sonnet|haiku|fable)\\s+(\\d+)[.-](\\d+)', model: 'claude-$1-$2-$3' },
      { pattern: '\\b(opus|sonnet|haiku|fable)\\s+(\\d+)', model: 'claude-$1-$2' },
    ],
    ids: [],
  },

  answers: [
    {
      path: '^/api/organizations/[\\w-]+/chat_conversations/(?<id>[\\w-]+)\\?.*\\btree=',
      method: 'GET',
      reads: 'claude',
      carries: ['conversation'],
    },
    {
      path: '^/api/organizations/[\\w-]+/chat_conversations/(?<id>[\\w-]+)/(?:retry_)?completion$',
      method: 'POST',
      reads: 'claude',
      carries: ['answer', 'refusal', 'limits'],
    },
    {
      path: '^/api/(?:bootstrap(?:/[\\w-]+/app_start)?|organizations|account)(?:\\?.*)?$',
      method: 'GET',
      reads: 'claude',
      carries: ['plan'],
    },
  ],
  plans: {
    asOf: '2026-04-30',
    source: 'https://support.claude.com/en/articles/8606394-how-large-is-the-context-window-on-paid-claude-plans',
    list: [
      { id: 'free', name: 'Free', windows: { any: 200_000 }, told: ['claude_free'] },
      { id: 'pro', name: 'Pro', windows: { any: 200_000 }, told: ['claude_pro'] },
      { id: 'max', name: 'Max', windows: { any: 200_000 }, told: ['claude_max'] },
      { id: 'team', name: 'Team', windows: { any: 200_000 }, told: ['raven', 'claude_team'] },
      { id: 'enterprise', name: 'Enterprise', windows: { any: 500_000 }, told: ['claude_enterprise'] },
    ],
  },
  end: 'summarises',
  // From that table: instructions 3,200, always sent; artifacts 8,400 and web search 10,250, on by default; memory
  // 4,300, code 5,300 and preferences 900, which a user switches on.
  unseen: {
    asOf: '2026-07-31',
    sources: ['https://github.com/lugia19/Claude-Usage-Extension, its table of features'],
    sizes: [{ model: '', least: 3_200, usual: 22_000, most: 32_400 }],
  },
  // The site publishes no time. Its API keeps a prompt for 5 minutes, or for 60 on request; the maintainers of
  // https://github.com/lugia19/Claude-Usage-Extension (62, 74) have measured 60 here, which its users doubt.
  cacheMinutes: { least: 5, most: 60 },
};

// Test pages: https://claude.ai/new , https://claude.ai/chat/… , https://claude.ai/project/…
