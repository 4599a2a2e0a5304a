// Copyright The ctx-lsp authors. MIT licence.

// Times the tokenizers that run on Node on the texts of a folder.
//
//   node peers.mjs TEXTS [--encoding o200k_base] [--module ../../wasm/js/ctx.wasm] [--rounds 3] [--only code_go,zh]
//
// Every figure is of a fresh process, which loads one tokenizer and counts one text five times: cold is the first pass,
// the first thing that the process counts, warm the fifth, when the JavaScript engine has compiled what is used often.
// Rounds of all tokenizers take turns; the medians are printed, a JSON object per tokenizer, as bench prints the native
// ones. The first count is loading and counting two words, in processes that do nothing else.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    encoding: { type: 'string', default: 'o200k_base' },
    module: { type: 'string', default: fileURLToPath(new URL('../../wasm/js/ctx.wasm', import.meta.url)) },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    alone: { type: 'string' }, // measure in this process: the tokenizer with this name, on the file that is named instead of a folder, or on two words
  },
});
const { encoding } = values;

const peers = {
  async 'ctx-lsp (Node)'() {
    const { load } = await import('../../wasm/js/ctx.js');
    const packs = fileURLToPath(new URL('../../internal/assets/', import.meta.url));
    const core = await load(readFileSync(values.module), {
      vocabularies: (name) => readFileSync(`${packs}${name}.ctxv`),
    });
    await core.call('ctx/count', { text: '', encoding }); // has the vocabulary loaded
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

const passes = 5;

/** What this process, which has counted nothing before, finds out about a tokenizer and a text. */
async function measure(name, file) {
  const whole = file ? readFileSync(file, 'utf8') : 'hello world';
  // js-tiktoken takes quadratic time on long words: it gets the beginning of the text, and no more than it can do.
  const text = name === 'js-tiktoken' ? whole.slice(0, 40_000) : whole;
  const begin = performance.now();
  const count = await peers[name]();
  const load = performance.now() - begin;
  const times = [];
  let tokens;
  for (let pass = 0; pass < passes; pass++) {
    const at = performance.now();
    tokens = count(text);
    times.push(performance.now() - at);
  }
  return {
    load,
    first: times[0],
    last: times.at(-1),
    size: Buffer.byteLength(text),
    tokens,
    memory: process.resourceUsage().maxRSS * 1024,
  };
}

/** The same, measured in a process of its own. */
function measureApart(name, file) {
  const self = fileURLToPath(import.meta.url);
  const output = execFileSync(process.execPath, [
    self,
    ...(file ? [file] : []),
    '--alone',
    name,
    '--encoding',
    encoding,
    '--module',
    values.module,
  ]);
  return JSON.parse(output.toString().trim().split('\n').at(-1));
}

const [place] = positionals;
if (values.alone) {
  console.log(JSON.stringify(await measure(values.alone, place)));
  process.exit(0);
}

if (!place) {
  console.error('peers: name the folder with the texts to count; run.sh texts makes them.');
  process.exit(2);
}
const wanted = values.only ? values.only.split(',') : [];
const className = (file) => basename(file, '.txt');
const files = readdirSync(place)
  .filter((file) => file.endsWith('.txt') && (wanted.length === 0 || wanted.includes(className(file))))
  .sort();
if (files.length === 0) {
  console.error(`peers: there are no texts to count in ${place}; run.sh texts makes them.`);
  process.exit(1);
}
const names = Object.keys(peers).filter((name) => !name.startsWith('ctx') || existsSync(values.module));
const measured = Object.fromEntries(
  names.map((name) => [name, Object.fromEntries(files.map((file) => [className(file), []]))]),
);
const firstCounts = Object.fromEntries(names.map((name) => [name, []]));
for (let round = 1; round <= +values.rounds; round++) {
  console.error(`${encoding}, Node: round ${round} of ${values.rounds}`);
  for (const name of names) firstCounts[name].push(measureApart(name));
  for (const file of files) {
    for (const name of names) measured[name][className(file)].push(measureApart(name, join(place, file)));
  }
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const round2 = (n) => Math.round(n * 100) / 100;
for (const [name, classes] of Object.entries(measured)) {
  const each = (value) => Object.fromEntries(Object.entries(classes).map(([c, all]) => [c, value(all)]));
  const speed = (pass) => each((all) => round2(all[0].size / median(all.map((m) => m[pass])) / 1000));
  console.log(
    JSON.stringify({
      name,
      encoding,
      passes,
      load: round2(
        median(
          Object.values(classes)
            .flat()
            .map((m) => m.load),
        ),
      ),
      firstCount: round2(median(firstCounts[name].map((m) => m.load + m.first))),
      memory: round2(Math.max(...Object.values(each((all) => median(all.map((m) => m.memory))))) / 1e6),
      cold: speed('first'),
      warm: speed('last'),
      counts: each((all) => all[0].tokens),
    }),
  );
}
