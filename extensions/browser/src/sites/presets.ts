// Copyright The ctx-lsp authors. MIT licence.

import { blank } from './blank';
import type { Endpoint, SiteData } from './data';

// Pages that people run themselves, at any address. What their servers answer is described in their own sources.

/** Servers that speak as OpenAI's does, which a page may ask at another address than its own. */
export const openai: readonly Endpoint[] = [
  {
    path: '/(?:chat/completions|responses|api/v1/chat)$',
    method: 'POST',
    ofPage: true,
    anywhere: true,
    reads: 'openai',
    carries: ['answer', 'usage', 'refusal', 'models'],
  },
  { path: '/(?:v\\d/)?models$', method: 'GET', anywhere: true, reads: 'openai', carries: ['models'] },
];

/** Open WebUI shows the last messages, and loads more as one scrolls up; its server has answers by a socket. */
const openWebUI: SiteData = {
  ...blank,
  id: 'open-webui',
  name: 'Open WebUI',
  hosts: [],
  conversation: ['^/c/([\\w-]+)'],
  attributes: ['class', 'id'],
  turn: ['.user-message[id^="message-"]', '[id^="message-"]:has(.chat-assistant)'],
  key: ['id'],
  keyPart: '^message-(.+)$',
  keyIsId: true,
  loadsAtOnce: 20,
  message: ['.chat-user', '.chat-assistant'],
  user: ['.chat-user'],
  body: ['#response-content-container'],
  draft: ['#chat-input', 'textarea'],
  composer: ['#message-input-container', 'form:has(#chat-input)'],
  model: { ...blank.model, names: 'id' },
  answers: [
    { path: '^/api/v1/chats/(?<id>[\\w-]+)$', method: 'GET', reads: 'openwebui', carries: ['conversation', 'usage'] },
    { path: '^/api/v1/chats/(?<id>[\\w-]+)$', method: 'POST', reads: 'openwebui', carries: ['conversation', 'usage'] },
    {
      path: '^/(?:api|openai|ollama/v1)/chat/completions$',
      method: 'POST',
      idIn: '"chat_id":"(?<id>[\\w-]+)"',
      ofPage: true,
      reads: 'openai',
      carries: ['answer', 'usage', 'refusal', 'models'],
    },
    { path: '^/api/(?:v1/)?models(?:/base)?(?:\\?.*)?$', method: 'GET', reads: 'openai', carries: ['models'] },
  ],
  end: 'drops',
};

const libreChat: SiteData = {
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
  model: { ...blank.model, names: 'id' },
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

const llamaCpp: SiteData = {
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
  model: { ...blank.model, names: 'id' },
  answers: [
    ...openai,
    { path: '/props$', method: 'GET', reads: 'openai', carries: ['models'] },
    { path: '/props\\?(?:.*&)?model=(?<model>[^&]+)', method: 'GET', reads: 'openai', carries: ['models'] },
  ],
  end: 'refuses',
};

/** LM Studio is a server without a page: this reads pages that mark their messages as most do. */
const lmStudio: SiteData = {
  ...blank,
  id: 'lm-studio',
  name: 'LM Studio',
  hosts: [],
  conversation: ['^(/.*)$'],
  fresh: [],
  attributes: ['class', 'data-role', 'data-message-author-role', 'data-message-role'],
  message: ['[data-message-author-role]', '[data-message-role]', '[data-role="user"]', '[data-role="assistant"]'],
  user: ['[data-message-author-role="user"]', '[data-message-role="user"]', '[data-role="user"]'],
  model: { ...blank.model, names: 'id' },
  answers: openai,
};

/** By their ids, as the options page takes them in the place of selectors. */
export const presets: readonly SiteData[] = [openWebUI, libreChat, llamaCpp, lmStudio];
