// Copyright The ctx-lsp authors. MIT licence.

import type { SiteData } from './data';

/** What a site has of which nothing else is known: its file says the rest. */
export const blank: Omit<SiteData, 'id' | 'name' | 'hosts' | 'conversation' | 'message' | 'user'> = {
  provider: '',
  fresh: ['^/$'],
  attributes: ['class'],
  turn: [],
  shell: [],
  noShell: [],
  key: [],
  keyIsId: false,
  messageKey: [],
  position: [],
  total: [],
  tool: [],
  body: [],
  drop: ['button', '[aria-hidden="true"]', '.sr-only', 'style', 'script'],
  thinking: [],
  files: [],
  pictures: [],
  reports: [],
  draft: ['textarea', 'div.ProseMirror[contenteditable="true"]', '[contenteditable="true"][role="textbox"]'],
  composer: ['form:has(textarea)'],
  send: ['button[type="submit"]', 'button[aria-label*="send" i]'],
  theme: [
    { at: ['html'], attribute: 'class', dark: '(?:^|\\s)dark(?:\\s|$)' },
    { at: ['html'], attribute: 'data-theme', dark: 'dark' },
  ],
  model: { slug: [], chosen: [], names: 'none' },
  modes: null,
  answers: [],
  plans: null,
  end: 'unknown',
  unseen: null,
};
