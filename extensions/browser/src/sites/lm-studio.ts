// Copyright The ctx-lsp authors. MIT licence.

import { blank, itself, openai } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** LM Studio is a server without a page: this reads pages that mark their messages in the common ways. */
export const site: SiteData = {
  ...blank,
  id: 'lm-studio',
  name: 'LM Studio',
  hosts: [],
  conversation: ['^(/.*)$'],
  fresh: [],
  attributes: ['class', 'data-role', 'data-message-author-role', 'data-message-role'],
  message: ['[data-message-author-role]', '[data-message-role]', '[data-role="user"]', '[data-role="assistant"]'],
  user: ['[data-message-author-role="user"]', '[data-message-role="user"]', '[data-role="user"]'],
  model: { ...blank.model, ...itself },
  answers: openai,
};
