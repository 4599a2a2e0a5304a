// Copyright The ctx-lsp authors. MIT licence.

import { blank, itself } from '../adapter/blank';
import type { SiteData } from '../adapter/data';

/** Open WebUI shows the last messages and loads more as the user scrolls up; its server sends answers over a socket. */
export const site: SiteData = {
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
  model: { ...blank.model, ...itself },
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
