// Copyright The ctx-lsp authors. MIT licence.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const cli = process.env.CTX_LSP ?? join(import.meta.dirname, '../../../bin/ctx-lsp');

/** Adds vocabularies as people do in the terminal, below a folder of their data. Throws what is said of a refusal. */
export const added = (data, files) =>
  execFileSync(cli, ['vocab', 'add', 'claude', ...files], {
    env: { ...process.env, XDG_DATA_HOME: data },
    stdio: 'pipe',
  });

export const gpt = { model: 'gpt-5.5', provider: 'openai' };
export const opus = { model: 'claude-opus-5', provider: 'anthropic' };
export const gemini = { model: 'gemini-3-pro', provider: 'google' };
/**
 * What the tests import for the sites where they compare small texts to the token: no size for what no page shows. The
 * tests of that size import nothing.
 */
export const bare = Object.fromEntries(
  ['chatgpt', 'claude', 'gemini', 'grok', 'kimi', 'mistral'].map((id) => [id, { unseen: null }]),
);
export const long = 'The quick brown fox jumps over the lazy dog. ';
export const user = (text) => ({ kind: 'user', text });
export const assistant = (text) => ({ kind: 'assistant', text });

/** Returns the result of the native engine for the same conversation. */
export function native(open, items, { draft, usage, reported, after, data } = {}) {
  const calls = [
    { method: 'ctx/session/open', params: { id: 'x', route: 'chat', rule: { percent: 90 }, ...open } },
    { method: 'ctx/session/update', params: { id: 'x', append: items, ...(draft && { draft }) } },
    ...(usage ? [{ method: 'ctx/session/usage', params: { id: 'x', usage, ...(reported && { reported }) } }] : []),
    ...(after ? [{ method: 'ctx/session/update', params: { id: 'x', append: after } }] : []),
  ];
  return JSON.parse(
    execFileSync(cli, ['status', '--json', '--calls', '-'], {
      input: calls.map((c) => JSON.stringify(c)).join('\n'),
      env: { ...process.env, ...(data && { XDG_DATA_HOME: data }) },
    }),
  ).display;
}

/** Whether the badge's words say so. */
export const says = (display) => (words) =>
  words?.includes(` ${display.percent} full`) && words.includes(`${display.used} of`);

export function same(got, want, what) {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/** Runs the conformance vectors in the worker of a test build. */
export const ask = (page, what) =>
  page.evaluate(
    (what) =>
      new Promise((done) => {
        window.addEventListener('message', (e) => e.data?.reply === what && done(e.data.answer));
        window.postMessage({ ask: what });
      }),
    what,
  );
