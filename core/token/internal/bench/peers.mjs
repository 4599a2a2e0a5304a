// Times the tokenizers that run on Node, each in a process of its own, on the texts of a folder.
//
//   node peers.mjs TEXTS [--encoding o200k_base] [--module ../../../../wasm/js/ctx.wasm]
//
// A round is a fresh process that counts each text five times: cold is the first time it sees it, warm the fifth, when
// the JavaScript engine has compiled what is used often. Rounds of all tokenizers take turns; the median is printed, a
// JSON object per tokenizer, as bench prints the native ones.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    encoding: { type: 'string', default: 'o200k_base' },
    module: { type: 'string', default: fileURLToPath(new URL('../../../../wasm/js/ctx.wasm', import.meta.url)) },
    rounds: { type: 'string', default: '3' },
    peer: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const { encoding } = values;

const peers = {
  async 'ctx-lsp (Node)'() {
    const { load } = await import('../../../../wasm/js/ctx.js');
    const packs = fileURLToPath(new URL('../../pack/', import.meta.url));
    const core = await load(readFileSync(values.module), { vocabularies: (name) => readFileSync(`${packs}${name}.ctxv`) });
    await core.call('ctx/count', { text: '', encoding });
    return (text) => core.callSync('ctx/count', { text, encoding }).tokens;
  },
  async tiktoken() {
    const { get_encoding } = await import('tiktoken');
    const e = get_encoding(encoding);
    return (text) => e.encode_ordinary(text).length;
  },
  async 'gpt-tokenizer'() {
    const e = await import(`gpt-tokenizer/encoding/${encoding}`);
    return (text) => e.countTokens(text);
  },
  async 'ai-tokenizer'() {
    const { default: Tokenizer } = await import('ai-tokenizer');
    const data = await import(`ai-tokenizer/encoding/${encoding}`);
    const t = new Tokenizer(data);
    return (text) => t.count(text);
  },
  async 'js-tiktoken'() {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}`);
    const e = new Tiktoken(ranks);
    return (text) => e.encode(text, [], []).length;
  },
};

const texts = (folder) =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.txt') && (!values.only || values.only.split(',').includes(basename(f, '.txt'))))
    .sort();

if (values.peer) {
  const begin = performance.now();
  const count = await peers[values.peer]();
  count('hello world');
  const first = performance.now() - begin;
  const out = { first, memory: 0, cold: {}, warm: {}, counts: {} };
  for (const file of texts(positionals[0])) {
    const bytes = readFileSync(join(positionals[0], file));
    const text = bytes.toString('utf8');
    const name = basename(file, '.txt');
    // js-tiktoken takes quadratic time on long words: it gets the beginning of the text, and no more than it can do.
    const part = values.peer === 'js-tiktoken' ? text.slice(0, 40_000) : text;
    const size = Buffer.byteLength(part);
    for (let pass = 1; pass <= 5; pass++) {
      const at = performance.now();
      out.counts[name] = count(part);
      const speed = size / (performance.now() - at) / 1000;
      if (pass === 1) out.cold[name] = speed;
      if (pass === 5) out.warm[name] = speed;
    }
  }
  out.memory = process.memoryUsage().rss;
  console.log(JSON.stringify(out));
  process.exit(0);
}

const rounds = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
for (let round = 0; round < +values.rounds; round++) {
  for (const name of Object.keys(peers)) {
    if (name.startsWith('ctx') && !existsSync(values.module)) continue;
    const arguments_ = [fileURLToPath(import.meta.url), positionals[0], '--peer', name, '--encoding', encoding, '--module', values.module, '--only', values.only];
    rounds[name].push(JSON.parse(execFileSync(process.execPath, arguments_, { maxBuffer: 1 << 26 }).toString().trim().split('\n').at(-1)));
  }
}
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const round2 = (n) => Math.round(n * 100) / 100;
for (const [name, results] of Object.entries(rounds)) {
  if (results.length === 0) continue;
  const speeds = (pass, pick) => Object.fromEntries(Object.keys(results[0][pass]).map((c) => [c, round2(pick(results.map((r) => r[pass][c])))]));
  console.log(
    JSON.stringify({
      name,
      encoding,
      first: round2(median(results.map((r) => r.first))),
      memory: Math.round(median(results.map((r) => r.memory)) / 1e6),
      cold: speeds('cold', median),
      best: speeds('cold', (n) => Math.max(...n)),
      warm: speeds('warm', median),
      counts: results[0].counts,
    }),
  );
}
