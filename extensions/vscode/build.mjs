// Copyright The ctx-lsp authors. MIT licence.

import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
// Bundles the extension: the desktop entry with the parts that it loads when they are used, the web entry in one file,
// because nothing is loaded later there, and the panel's page; and lays the WebAssembly core with its vocabularies
// beside them. `--production` minifies; `--types` only brings the generated types of the protocol.
import { build, transform } from 'esbuild';
import { font } from './icons.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
mkdirSync('api', { recursive: true });
copyFileSync('../../wasm/js/types.d.ts', 'api/types.d.ts');
if (process.argv.includes('--types')) {
  process.exit(0);
}

/**
 * Has the editor's API wrapped once a bundle. esbuild wraps a module that it does not know anew in each file that
 * imports it, name by name: fifty files times three hundred names were half of what activation cost.
 */
const oneApi = {
  name: 'one-api',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'one-api' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'one-api' },
    );
    onLoad({ filter: /.*/, namespace: 'one-api' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

const production = process.argv.includes('--production');
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  plugins: [oneApi],
  logLevel: 'warning',
  target: 'es2022',
  legalComments: 'none',
};

/**
 * The desktop entry in several files, which share what more than one of them needs. esbuild splits ES modules alone,
 * and an editor below 1.100 loads CommonJS alone, so each file is turned into CommonJS afterwards.
 */
async function buildInParts() {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    sourcemap: production ? false : 'inline',
    write: false,
  });
  for (const { path: file, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: shared.target,
      minify: production,
      sourcemap: production ? false : 'inline',
      supported: { 'dynamic-import': false },
      legalComments: 'none',
    });
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

rmSync('dist/parts', { recursive: true, force: true });
await Promise.all([
  buildInParts(),
  build({ ...shared, entryPoints: { web: 'src/web.ts' }, outdir: 'dist', platform: 'browser', format: 'cjs' }),
  build({
    ...shared,
    entryPoints: { panel: 'src/panel/view/main.ts' },
    outdir: 'dist',
    platform: 'browser',
    format: 'iife',
  }),
]);

writeFileSync('dist/icons.woff', font());

const module = '../../wasm/js/ctx.wasm';
if (!existsSync(module)) {
  console.error('build: wasm/js/ctx.wasm is missing; “make wasm” in the root of the repository writes it');
  process.exit(1);
}
mkdirSync('dist/core', { recursive: true });
copyFileSync(module, 'dist/core/ctx.wasm');
for (const pack of readdirSync('../../internal/assets').filter((f) => f.endsWith('.ctxv'))) {
  copyFileSync(`../../internal/assets/${pack}`, `dist/core/${pack}`);
}
