// Copyright The ctx-lsp authors. MIT licence.

// Counts texts with one of the packages in o200k_base, in a separate thread.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const root = join(import.meta.dirname, '../../..');
const makers = {
  '@ctx-lsp/core': async () => {
    const { load } = await import('../ctx.js');
    const core = await load(readFile(join(root, 'wasm/js/ctx.wasm')), {
      vocabularies: (name) => readFile(join(root, `internal/assets/${name}.ctxv`)),
    });
    await core.count('x', { encoding: 'o200k_base' });
    return (text) => core.callSync('ctx/count', { text, encoding: 'o200k_base' }).tokens;
  },
  'gpt-tokenizer': async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  'js-tiktoken': async () => {
    const [{ Tiktoken }, { default: ranks }] = await Promise.all([
      import('js-tiktoken/lite'),
      import('js-tiktoken/ranks/o200k_base'),
    ]);
    const tiktoken = new Tiktoken(ranks);
    return (text) => tiktoken.encode(text, [], []).length;
  },
};

const count = await makers[workerData]();
parentPort.on('message', ({ text, rounds = 1 }) => {
  let tokens = 0;
  let speed = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const began = process.cpuUsage();
      tokens = count(text);
      const { user, system } = process.cpuUsage(began);
      speed = Math.max(speed, Buffer.byteLength(text) / (user + system));
    }
  } catch (fault) {
    tokens = String(fault.message);
  }
  parentPort.postMessage({ tokens, speed });
});
