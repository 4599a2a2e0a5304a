// Copyright The ctx-lsp authors. MIT licence.

import type { Endpoint, ModelData, SiteData } from './data';

/** The defaults of a site. Its file adds the rest. */
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

/** Names of models that are already ids. */
const anyId: ModelData['names'] = [{ pattern: '^\\s*([\\w.:/-]{2,100})\\s*$', model: '$1' }];
export const itself: Pick<ModelData, 'names' | 'ids'> = { names: anyId, ids: anyId };

/** Servers with OpenAI's API, which a page may query at an address other than its own. */
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

/** The hidden size, estimated from published copies of a company's newest prompt and tools, counted with o200k. */
export const published = (folder: string, usual: number): SiteData['unseen'] => ({
  asOf: '2026-08-22',
  sources: [`https://github.com/asgeirtj/system_prompts_leaks, ${folder}`],
  sizes: [{ model: '', least: 0, usual, most: null }],
});
