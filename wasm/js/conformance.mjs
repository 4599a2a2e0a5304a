#!/usr/bin/env node
// Copyright The ctx-lsp authors. MIT licence.

// Runs the conformance vectors on the module under Node.
//
//     node wasm/js/conformance.mjs [--module ctx.wasm] [FOLDER]
//
// The last line is "N passed, M failed"; the exit code is 1 if M > 0.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from './ctx.js';
import { readSums, runFile } from './vectors.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values, positionals } = parseArgs({
  options: { module: { type: 'string', default: here('ctx.wasm') } },
  allowPositionals: true,
});
const folder = positionals[0] ?? here('../../testdata/conformance');

let module;
try {
  module = await WebAssembly.compile(await readFile(values.module));
} catch (e) {
  console.error(`The module cannot be loaded: ${e.message}. Build it with: make wasm`);
  process.exit(1);
}
const packs = new Map();
const vocabularies = async (name) => {
  if (!packs.has(name)) packs.set(name, await readFile(here(`../../internal/assets/${name}.ctxv`)));
  return packs.get(name);
};
const sums = readSums(await readFile(join(folder, 'answers.sum'), 'utf8').catch(() => ''));

let passed = 0;
let failed = 0;
for (const name of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
  const file = JSON.parse(await readFile(join(folder, name), 'utf8'));
  for (const { vector, why } of await runFile(name.slice(0, -5), file, sums, () => load(module, { vocabularies }))) {
    if (why) {
      failed++;
      console.log(`failed: ${vector}\n    ${why}`);
    } else {
      passed++;
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
