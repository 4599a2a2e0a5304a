// Copyright The ctx-lsp authors. MIT licence.

import { blank, itself } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** LibreChat has the whole conversation in its page; tools and reasoning come from its server. */
export const site: SiteData = {
  ...blank,
  id: 'librechat',
  name: 'LibreChat',
  hosts: [],
  conversation: ['/c/(?!new$)([\\w-]+)'],
  fresh: ['/c/new$'],
  attributes: ['class', 'id'],
  turn: ['.message-render'],
  key: ['id'],
  keyIsId: true,
  holdsAll: true,
  message: ['.user-turn', '.agent-turn'],
  user: ['.user-turn'],
  body: ['[data-testid="message-body"]', '.message-content'],
  drop: [...blank.drop, 'h2'],
  draft: ['#prompt-textarea', 'textarea'],
  model: { ...blank.model, ...itself },
  answers: [
    {
      path: '/api/messages/(?<id>[\\w-]+)(?:\\?.*)?$',
      method: 'GET',
      reads: 'librechat',
      carries: ['conversation'],
    },
    {
      path: '/api/agents/chat/stream/(?<id>[\\w-]+)(?:\\?.*)?$',
      method: 'GET',
      reads: 'librechat',
      carries: ['answer'],
    },
    { path: '/api/(?:agents/chat|ask|edit)/[\\w-]+$', method: 'POST', reads: 'librechat', carries: ['answer'] },
  ],
};
