// Copyright The ctx-lsp authors. MIT licence.

// Prints a table of this package next to others from npm: how many texts of testdata/conformance/tokens.json each
// counts differently from the reference tokenizer, how fast it counts, and which windows it knows. Times are CPU time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { getContextWindow } from 'tokenlens';
import { load } from '../ctx.js';

const root = join(import.meta.dirname, '../../..');
const counters = ['@ctx-lsp/core', 'gpt-tokenizer', 'js-tiktoken'];

/** A package in a separate thread, because some need minutes for a long row of one character. */
class Counter {
  constructor(name) {
    this.name = name;
    this.worker = new Worker(new URL('counter.mjs', import.meta.url), { workerData: name });
  }

  /** Resolves to the package's result, or to null after `most` milliseconds. */
  ask(what, most = 5000) {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        void this.worker.terminate();
        Object.assign(this, new Counter(this.name));
        done(null);
      }, most);
      this.worker.once('message', (answer) => {
        clearTimeout(timer);
        done(answer);
      });
      this.worker.postMessage(what);
    });
  }

  end() {
    return this.worker.terminate();
  }
}

/** The texts with token counts from the reference tokenizer. */
const { vectors } = JSON.parse(await readFile(join(root, 'testdata/conformance/tokens.json'), 'utf8'));
const texts = vectors
  .flatMap((v) => v.calls.map((c) => ({ name: v.name, ...c })))
  .filter((c) => c.params.encoding === 'o200k_base' && c.params.text !== undefined && c.expect?.tokens !== undefined)
  .map(({ name, params: { text }, expect }) => ({
    name,
    text: typeof text === 'string' ? text : text.$repeat.repeat(text.times),
    tokens: expect.tokens,
  }));

async function wrongIn(counter) {
  const wrong = [];
  await counter.ask({ text: 'x' }, 60_000);
  for (const { name, text, tokens } of texts) {
    const got = await counter.ask({ text });
    if (got?.tokens !== tokens) wrong.push(`${name}: ${got?.tokens ?? 'no answer in 5 s'}, and not ${tokens}`);
    if (got === null) await counter.ask({ text: 'x' }, 60_000);
  }
  return wrong;
}

/** Returns megabytes per second of CPU time: the best of five rounds. */
async function speed(counter, text) {
  const answer = await counter.ask({ text, rounds: 5 }, 120_000);
  return answer ? answer.speed.toFixed(1) : 'none';
}

// Every package caches pieces, so the texts differ in their words.
const words = (make) => Array.from({ length: 60_000 }, (_, i) => make((i * 2654435761) % 99_991)).join('');
const prose = ['the', 'window', 'of', 'a', 'model', 'fills', 'while', 'people', 'write', 'tokens', 'counting', 'is'];
const samples = {
  English: words((n) => `${prose[n % prose.length]}${n % 7 ? '' : `ing ${n}`} `),
  code: words((n) => `const x${n % 997} = f(${n}, "${prose[n % prose.length]}");\n`),
  Chinese: words((n) => String.fromCodePoint(0x4e00 + (n % 20_000)) + (n % 12 ? '' : '，')),
};

const core = await load(readFile(join(root, 'wasm/js/ctx.wasm')));
const windows = {
  '@ctx-lsp/core': async (model) => (await core.call('ctx/models', { query: model })).models[0]?.window ?? 0,
  tokenlens: async (model) => {
    const { combinedMax, totalMax, inputMax } = getContextWindow(model) ?? {};
    return combinedMax ?? totalMax ?? inputMax ?? 0;
  },
};
const models = ['gpt-5.5', 'gpt-4.1', 'claude-opus-5', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'kimi-k2', 'gpt-55'];

const head = ['', `wrong of ${texts.length}`, ...Object.keys(samples).map((s) => `${s}, MB/s`), 'windows known'];
const rows = [];
for (const name of [...counters, 'tokenlens']) {
  const counter = counters.includes(name) ? new Counter(name) : null;
  const known = [];
  if (windows[name]) for (const m of models) if ((await windows[name](m).catch(() => 0)) > 0) known.push(m);
  const wrong = counter && (await wrongIn(counter));
  const speeds = [];
  for (const text of Object.values(samples)) speeds.push(counter ? await speed(counter, text) : '');
  await counter?.end();
  rows.push([
    name,
    wrong ? String(wrong.length) : 'counts no text',
    ...speeds,
    windows[name] ? `${known.length} of ${models.length}` : '',
  ]);
  for (const w of wrong ?? []) console.error(`${name}: ${w.slice(0, 160)}`);
}
const widths = head.map((h, i) => Math.max(h.length, ...rows.map((r) => r[i].length)));
const line = (cells) => `| ${cells.map((c, i) => c.padEnd(widths[i])).join(' | ')} |`;
console.log([line(head), `|${widths.map((w) => '-'.repeat(w + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
