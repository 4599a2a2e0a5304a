// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** chat.qwen.ai shows neither its model nor a window, so there are tokens but no percentage. */
export const site: SiteData = {
  ...blank,
  id: 'qwen',
  name: 'Qwen',
  provider: 'alibaba',
  hosts: ['chat.qwen.ai'],
  conversation: ['^/c/([\\w-]+)'],
  message: ['.chat-user-message', '.user-message', '[class*="qwen-markdown"]'],
  user: ['.chat-user-message', '.user-message'],
};

// Test page: https://chat.qwen.ai/c/…
