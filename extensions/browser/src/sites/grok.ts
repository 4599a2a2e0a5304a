// Copyright The ctx-lsp authors. MIT licence.

import { blank, published } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** grok.com shows neither its model nor a window, so there are tokens but no percentage. */
export const site: SiteData = {
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
  unseen: published('xAI', 8_300),
};

// Test page: https://grok.com/c/…
