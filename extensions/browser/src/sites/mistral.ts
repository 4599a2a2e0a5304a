// Copyright The ctx-lsp authors. MIT licence.

import { blank, published } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** chat.mistral.ai marks messages with their author's role, and shows neither its model nor a window. */
export const site: SiteData = {
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
  unseen: published('Mistral', 5_000),
};

// Test page: https://chat.mistral.ai/chat/…
