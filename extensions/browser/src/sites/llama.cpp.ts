// Copyright The ctx-lsp authors. MIT licence.

import { blank, itself, openai } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** llama.cpp's own page: the conversation's id is in the fragment of the address (after the #). */
export const site: SiteData = {
  ...blank,
  id: 'llama.cpp',
  name: 'llama.cpp',
  hosts: [],
  inHash: true,
  conversation: ['^#/chat/([\\w-]+)'],
  fresh: ['^(?:#/?(?:\\?.*)?)?$'],
  attributes: ['aria-label', 'class'],
  holdsAll: true,
  message: ['[aria-label="User message with actions"]', '[aria-label="Assistant message with actions"]'],
  user: ['[aria-label="User message with actions"]'],
  body: ['[data-slot="card"]', '.raw-output'],
  drop: [...blank.drop, '.info', '.processing-container', '.tabular-nums', 'textarea'],
  model: { ...blank.model, ...itself },
  answers: [
    ...openai,
    { path: '/props$', method: 'GET', reads: 'openai', carries: ['models'] },
    { path: '/props\\?(?:.*&)?model=(?<model>[^&]+)', method: 'GET', reads: 'openai', carries: ['models'] },
  ],
  end: 'refuses',
};
