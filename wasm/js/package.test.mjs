// Copyright The ctx-lsp authors. MIT licence.

// Tests the npm package as users get it: packed, installed into an empty project, and loaded there in every supported
// way. Tests that need programs from npm (TypeScript, vite, esbuild, Bun, Deno) run with CTX_NPM=1.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'ctx-package-'));
after(() => rmSync(project, { recursive: true, force: true }));

const run = (program, ...args) =>
  execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const npm = (...args) => run('npm', ...args, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error');
const write = (name, text) => writeFileSync(join(project, name), text);

execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', project], { cwd: here, stdio: 'pipe' });
const archive = readdirSync(project).find((name) => name.endsWith('.tgz'));
write('package.json', '{ "name": "empty", "version": "1.0.0", "private": true }\n');
npm('install', '--offline', `./${archive}`);

/** Counts a text with a known number of tokens, using the core from `load`. */
const counts = 'core.count("Hello, world!", { encoding: "o200k" }).then((answer) => console.log(answer.tokens))';
const esm = `import { load } from '@ctx-lsp/core';
const file = (name) => import.meta.resolve('@ctx-lsp/core/' + name);
const core = await load(file('ctx.wasm'), { vocabularies: { o200k: file('o200k.ctxv') } });
await ${counts};
`;

test('the package holds what its readers need, and nothing of the tests', () => {
  const files = readdirSync(join(project, 'node_modules/@ctx-lsp/core')).sort();
  for (const name of ['README.md', 'LICENSE', 'NOTICE', 'ctx.wasm', 'o200k.ctxv', 'cl100k.ctxv', 'types.d.ts'])
    assert.ok(files.includes(name), `${name} is missing: ${files}`);
  assert.deepEqual(
    files.filter((name) => /test|vectors|conformance|\.go$/.test(name)),
    [],
  );
  const { private: hidden, version } = JSON.parse(
    readFileSync(join(project, 'node_modules/@ctx-lsp/core/package.json'), 'utf8'),
  );
  assert.equal(hidden, undefined);
  assert.match(version, /^\d+\.\d+\.\d+$/);
});

test('the first lines of its README run as they stand', () => {
  const readme = readFileSync(join(project, 'node_modules/@ctx-lsp/core/README.md'), 'utf8');
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme);
  write('readme.mjs', code);
  assert.match(run('node', 'readme.mjs'), /tokens: 4, basis: 'counted', encoding: 'o200k_base'/);
});

test('it is imported as an ES module, and required by CommonJS, in Node', () => {
  write('esm.mjs', esm);
  assert.equal(run('node', 'esm.mjs'), '4');
  write(
    'cjs.cjs',
    `const { load, CtxError } = require('@ctx-lsp/core');
const { Journal } = require('@ctx-lsp/core/journal');
const file = (name) => require.resolve('@ctx-lsp/core/' + name);
load(file('ctx.wasm'), { vocabularies: (name) => (name === 'o200k' ? file('o200k.ctxv') : undefined) }).then(async (core) => {
  await ${counts};
  await core.call('ctx/session/reading', { id: 'nobody' }).catch((e) => console.log(e instanceof CtxError));
  const journal = new Journal({ id: 'a', model: 'gpt-5.5' });
  await journal.tell((method, params) => core.call(method, params));
  console.log((await core.call('ctx/session/reading', { id: 'a' })).model);
});
`,
  );
  assert.equal(run('node', 'cjs.cjs'), '4\ntrue\ngpt-5.5');
});

test('it runs in a worker', () => {
  write(
    'worker.mjs',
    `import { parentPort } from 'node:worker_threads';\n${esm.replace('console.log', 'parentPort.postMessage')}`,
  );
  write(
    'main.mjs',
    `import { Worker } from 'node:worker_threads';
new Worker(new URL('worker.mjs', import.meta.url)).on('message', (n) => console.log(n));
`,
  );
  assert.equal(run('node', 'main.mjs'), '4');
});

const fromNpm = process.env.CTX_NPM === '1';
const skip = !fromNpm && 'needs programs from npm; CTX_NPM=1 installs them';
if (fromNpm) npm('install', 'typescript@5', 'esbuild', 'vite', 'bun', 'deno', '@types/node@20');
/** Returns the program of the package for this machine's system; undefined if there is none. */
const native = (scope, path) => {
  const folder = join(project, 'node_modules', scope);
  const found = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, path)) : [];
  return found.find((program) => existsSync(program));
};

test('its types are found, and wrong uses too, under node16, nodenext and bundler, by import and by require', {
  skip,
}, () => {
  const source = `import { type Core, CtxError, load, type Reading } from '@ctx-lsp/core';
import type { Item } from '@ctx-lsp/core/types';
import { Journal } from '@ctx-lsp/core/journal';
const item: Item = { kind: 'user', text: 'x' };
export const read = async (core: Core): Promise<Reading> => core.call('ctx/session/update', { id: 'a', append: [item] });
export const all = [CtxError, load, Journal];
// @ts-expect-error no such method
export const wrong = (core: Core) => core.call('ctx/nothing');
// @ts-expect-error options that are none
export const none = load(new Uint8Array(), { vocabularies: 5 });
`;
  write('use.mts', source);
  write('use.cts', source);
  const tsc = (...args) =>
    run('node_modules/.bin/tsc', '--noEmit', '--strict', '--target', 'es2022', '--skipLibCheck', 'false', ...args);
  for (const module of ['node16', 'nodenext']) tsc('--module', module, 'use.mts', 'use.cts');
  tsc('--module', 'esnext', '--moduleResolution', 'bundler', 'use.mts');
});

test('esbuild makes one script of it, module and vocabulary in it', { skip }, () => {
  write(
    'one.mjs',
    `import { load } from '@ctx-lsp/core';
import wasm from '@ctx-lsp/core/ctx.wasm';
import o200k from '@ctx-lsp/core/o200k.ctxv';
load(wasm, { vocabularies: { o200k } }).then((core) => ${counts});
`,
  );
  for (const format of ['cjs', 'esm']) {
    const out = `one-${format}.${format === 'cjs' ? 'cjs' : 'mjs'}`;
    run(
      'node_modules/.bin/esbuild',
      'one.mjs',
      '--bundle',
      `--format=${format}`,
      '--loader:.wasm=binary',
      '--loader:.ctxv=binary',
      '--platform=node',
      '--target=node20',
      '--log-level=error',
      `--outfile=${out}`,
    );
    assert.equal(run('node', out), '4');
  }
});

test('vite builds a page and a module worker of it', { skip }, () => {
  write('index.html', '<script type="module" src="/page.js"></script>');
  const urls = `import { load } from '@ctx-lsp/core';
import wasm from '@ctx-lsp/core/ctx.wasm?url';
import o200k from '@ctx-lsp/core/o200k.ctxv?url';
load(wasm, { vocabularies: { o200k } }).then((core) => ${counts});
`;
  write('in-worker.js', urls);
  write('page.js', `${urls}new Worker(new URL('./in-worker.js', import.meta.url), { type: 'module' });\n`);
  write('vite.config.js', "export default { worker: { format: 'es' }, logLevel: 'error' };\n");
  run('node_modules/.bin/vite', 'build');
  const built = readdirSync(join(project, 'dist/assets'));
  assert.ok(built.some((n) => n.endsWith('.wasm')) && built.some((n) => n.endsWith('.ctxv')), String(built));
  assert.ok(
    built.some((n) => /in-worker.*\.js$/.test(n)),
    String(built),
  );
});

test('Bun runs it', { skip }, () => {
  const bun = native('@oven', 'bin/bun');
  assert.ok(bun, 'npm has no Bun for this machine');
  assert.equal(run(bun, 'esm.mjs'), '4');
  assert.equal(run(bun, 'cjs.cjs'), '4\ntrue\ngpt-5.5');
});

test('Deno runs it, with leave to read and nothing else', { skip }, () => {
  const deno = native('@deno', 'deno');
  assert.ok(deno, 'npm has no Deno for this machine');
  assert.equal(run(deno, 'run', '--allow-read', '--node-modules-dir=manual', 'esm.mjs'), '4');
});
