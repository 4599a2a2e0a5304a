// Copyright The ctx-lsp authors. MIT licence.

// Adds the remaining files of the npm package to this directory before it is packed: the vocabulary packs of the
// repository, and the journal for require(). The journal has no asynchronous imports, so it is the same class.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!existsSync(here('ctx.wasm'))) {
  console.error('There is no ctx.wasm yet; run `make wasm` in the root of the repository first.');
  process.exit(1);
}
const packs = here('../../internal/assets/');
for (const name of readdirSync(packs)) if (name.endsWith('.ctxv')) copyFileSync(packs + name, here(name));

const journal = readFileSync(here('journal.js'), 'utf8').split(/^export class Journal \{$/m);
if (journal.length !== 2) {
  console.error('journal.js exports something else than one class; see what packs.mjs makes of it.');
  process.exit(1);
}
writeFileSync(here('journal.cjs'), journal.join('exports.Journal = class Journal {'));
