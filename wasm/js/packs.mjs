// Copyright The ctx-lsp authors. MIT licence.

// Puts the vocabulary packs of the repository beside ctx.wasm before the npm package is made.
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!existsSync(here('ctx.wasm'))) {
  console.error('There is no ctx.wasm yet; run `make wasm` in the root of the repository first.');
  process.exit(1);
}
const packs = here('../../internal/pack/');
for (const name of readdirSync(packs)) if (name.endsWith('.ctxv')) copyFileSync(packs + name, here(name));
