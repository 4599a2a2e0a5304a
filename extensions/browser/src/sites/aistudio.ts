// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** aistudio.google.com: turns are custom elements that are empty while they are scrolled away. */
export const site: SiteData = {
  ...blank,
  id: 'aistudio',
  name: 'AI Studio',
  provider: 'google',
  hosts: ['aistudio.google.com'],
  conversation: ['/prompts/(?!new_)([\\w-]+)'],
  fresh: ['/prompts/new_\\w+'],
  attributes: ['data-turn-role'],
  // A turn that is scrolled away stays as an empty element.
  turn: ['ms-chat-turn:has(.turn-content)'],
  shell: ['ms-chat-turn:not(:has(.turn-content))'],
  key: ['id'],
  message: ['[data-turn-role]:has(.turn-content)'],
  user: ['[data-turn-role="User"]'],
  body: ['.turn-content'],
  thinking: ['ms-thought-chunk'],
};

// Test page: https://aistudio.google.com/prompts/…
