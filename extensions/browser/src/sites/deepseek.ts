// Copyright The ctx-lsp authors. MIT licence.

import { blank } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** chat.deepseek.com: its own responses contain the number of tokens of the conversation. */
export const site: SiteData = {
  ...blank,
  id: 'deepseek',
  name: 'DeepSeek',
  provider: 'deepseek',
  hosts: ['chat.deepseek.com'],
  conversation: ['^/a/chat/s/([\\w-]+)'],
  fresh: ['^/(?:a/chat/?)?$'],
  attributes: ['class', 'data-virtual-list-item-key'],
  turn: ['[data-virtual-list-item-key]'],
  key: ['data-virtual-list-item-key'],
  // Rows that are scrolled away are not in the page; the server numbers messages from 1.
  position: [{ attribute: 'data-virtual-list-item-key', pattern: '^(\\d+)$', first: 1, firstAtMost: 2 }],
  message: ['.ds-markdown.ds-assistant-message-main-content', '.ds-collapsible-text'],
  user: ['.ds-collapsible-text'],
  thinking: ['.ds-think-content'],
  // The page does not name its model, and each model has had another window, so there are tokens but no percentage.
  answers: [
    {
      path: '^/api/v0/chat/history_messages\\?(?:.*&)?chat_session_id=(?<id>[\\w-]+)',
      method: 'GET',
      reads: 'deepseek',
      carries: ['conversation', 'usage'],
    },
    {
      path: '^/api/v0/chat/(?:completion|regenerate|continue|edit_message)$',
      method: 'POST',
      idIn: '"chat_session_id":"(?<id>[\\w-]+)"',
      reads: 'deepseek',
      carries: ['usage'],
    },
  ],
};

// Test pages: https://chat.deepseek.com/a/chat/s/…
