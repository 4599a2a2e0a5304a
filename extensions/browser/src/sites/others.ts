// Copyright The ctx-lsp authors. MIT licence.

import { blank } from './blank';
import type { SiteData } from './data';

// Sites of which the pages alone are read. None tells its model or a window, so there are tokens and no percentage.

/** The published copies of a company's newest prompt with its tools, as they count in o200k. */
const typical = (folder: string, usual: number): SiteData['unseen'] => ({
  asOf: '2026-08-22',
  sources: [`https://github.com/asgeirtj/system_prompts_leaks, ${folder}`],
  sizes: [{ model: '', least: 0, usual, most: null }],
});

export const grok: SiteData = {
  ...blank,
  id: 'grok',
  name: 'Grok',
  provider: 'xai',
  hosts: ['grok.com'],
  conversation: ['^/c(?:hat)?/([\\w-]+)'],
  turn: ['[id^="response-"]'],
  key: ['id'],
  message: ['.message-bubble'],
  user: ['.items-end .message-bubble'],
  body: ['.response-content-markdown'],
  unseen: typical('xAI', 8_300),
};

export const aistudio: SiteData = {
  ...blank,
  id: 'aistudio',
  name: 'AI Studio',
  provider: 'google',
  hosts: ['aistudio.google.com'],
  conversation: ['/prompts/(?!new_)([\\w-]+)'],
  fresh: ['/prompts/new_\\w+'],
  attributes: ['data-turn-role'],
  // A turn that is scrolled away keeps its place, and nothing in it.
  turn: ['ms-chat-turn:has(.turn-content)'],
  shell: ['ms-chat-turn:not(:has(.turn-content))'],
  key: ['id'],
  message: ['[data-turn-role]:has(.turn-content)'],
  user: ['[data-turn-role="User"]'],
  body: ['.turn-content'],
  thinking: ['ms-thought-chunk'],
};

export const kimi: SiteData = {
  ...blank,
  id: 'kimi',
  name: 'Kimi',
  provider: 'moonshotai',
  hosts: ['www.kimi.com', 'kimi.com'],
  conversation: ['^/chat/([\\w-]+)'],
  message: ['.segment-user .user-content__text', '.segment-assistant .markdown:not(.thinking-container .markdown)'],
  user: ['.segment-user .user-content__text'],
  unseen: typical('Kimi', 8_100),
};

export const qwen: SiteData = {
  ...blank,
  id: 'qwen',
  name: 'Qwen',
  provider: 'alibaba',
  hosts: ['chat.qwen.ai'],
  conversation: ['^/c/([\\w-]+)'],
  message: ['.chat-user-message', '.user-message', '[class*="qwen-markdown"]'],
  user: ['.chat-user-message', '.user-message'],
};

export const mistral: SiteData = {
  ...blank,
  id: 'mistral',
  name: 'Le Chat',
  provider: 'mistral',
  hosts: ['chat.mistral.ai'],
  conversation: ['^/chat/([\\w-]+)'],
  fresh: ['^/(?:chat/?)?$'],
  attributes: ['data-message-author-role', 'data-message-id'],
  key: ['data-message-id'],
  message: ['[data-message-author-role]'],
  user: ['[data-message-author-role="user"]'],
  unseen: typical('Mistral', 5_000),
};
