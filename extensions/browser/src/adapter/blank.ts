// Copyright The ctx-lsp authors. MIT licence.

import type { Endpoint, ModelData, SiteData } from './data';

/** A site of which nothing is known: its file says the rest. */
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
  lines: [],
  tracking: [],
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
  model: { slug: [], chosen: [], names: [], ids: [] },
  modes: null,
  answers: [],
  plans: null,
  end: 'unknown',
  unseen: null,
};

/** Names of models that are ids already. */
const anyId: ModelData['names'] = [{ pattern: '^\\s*([\\w.:/-]{2,100})\\s*$', model: '$1' }];
export const itself: Pick<ModelData, 'names' | 'ids'> = { names: anyId, ids: anyId };

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

/** The hidden size by the published copies of a company's newest prompt with its tools, as they count in o200k. */
export const published = (folder: string, usual: number): SiteData['unseen'] => ({
  asOf: '2026-08-22',
  sources: [`https://github.com/asgeirtj/system_prompts_leaks, ${folder}`],
  sizes: [{ model: '', least: 0, usual, most: null }],
});
