// Copyright The ctx-lsp authors. MIT licence.

import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
// Bundles the extension: the desktop entry, the daemon's part (loaded only when a daemon was found), the web entry and
// the panel's page; and lays the WebAssembly core with its vocabularies beside them. `--production` minifies;
// `--types` only brings the generated types of the protocol.
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
mkdirSync('api', { recursive: true });
copyFileSync('../../wasm/js/types.d.ts', 'api/types.d.ts');
if (process.argv.includes('--types')) {
  process.exit(0);
}
const production = process.argv.includes('--production');
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  external: ['vscode'],
  logLevel: 'warning',
  target: 'es2022',
  legalComments: 'none',
};

await Promise.all([
  build({
    ...shared,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    platform: 'node',
    format: 'cjs',
    external: ['vscode', './daemon.js'],
  }),
  build({
    ...shared,
    entryPoints: { daemon: 'src/daemon/daemon.ts' },
    outdir: 'dist',
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
  }),
  build({ ...shared, entryPoints: { web: 'src/web.ts' }, outdir: 'dist', platform: 'browser', format: 'cjs' }),
  build({
    ...shared,
    entryPoints: { panel: 'src/panel/view/main.ts' },
    outdir: 'dist',
    platform: 'browser',
    format: 'iife',
  }),
]);

const module = '../../wasm/js/ctx.wasm';
if (!existsSync(module)) {
  console.error('build: wasm/js/ctx.wasm is missing; “make wasm” in the root of the repository writes it');
  process.exit(1);
}
mkdirSync('dist/core', { recursive: true });
copyFileSync(module, 'dist/core/ctx.wasm');
for (const pack of readdirSync('../../internal/pack').filter((f) => f.endsWith('.ctxv'))) {
  copyFileSync(`../../internal/pack/${pack}`, `dist/core/${pack}`);
}
