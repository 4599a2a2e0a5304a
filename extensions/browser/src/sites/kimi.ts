// Copyright The ctx-lsp authors. MIT licence.

import { blank, published } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** kimi.com shows neither its model nor a window, so there are tokens but no percentage. */
export const site: SiteData = {
  ...blank,
  id: 'kimi',
  name: 'Kimi',
  provider: 'moonshotai',
  hosts: ['www.kimi.com', 'kimi.com'],
  conversation: ['^/chat/([\\w-]+)'],
  message: ['.segment-user .user-content__text', '.segment-assistant .markdown:not(.thinking-container .markdown)'],
  user: ['.segment-user .user-content__text'],
  unseen: published('Kimi', 8_100),
};

// Test page: https://www.kimi.com/chat/…
