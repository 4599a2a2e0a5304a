// Copyright The ctx-lsp authors. MIT licence.

// Checks that the recipes for other repositories (a cask, manifests, build files) name archives in dist/, each with its
// checksum. Otherwise installing with them would fail.
//   node recipes.mjs FOLDER VERSION SHA256SUMS

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [folder, version, sums] = process.argv.slice(2);
const hashes = new Map(
  readFileSync(sums, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  ').reverse()),
);
/** Addresses and checksums in the order of a recipe. Each address is next to its checksum. */
const partsOf = (text) =>
  text
    .replaceAll(/#\{version\}|\$\{pkgver\}/g, version)
    .match(/https:\/\/[^\s"']+\/releases\/download\/[^\s"']+|\b[0-9a-f]{64}\b/g) ?? [];

let recipes = 0;
let wrong = 0;
for (const name of readdirSync(folder, { recursive: true }).filter((n) => /\.(rb|json|yaml|pkgbuild)$/.test(n))) {
  const tokens = partsOf(readFileSync(join(folder, name), 'utf8'));
  if (tokens.length === 0) continue; // winget's manifests of names
  recipes++;
  for (let i = 0; i < tokens.length; i += 2) {
    const [address, hash] = tokens
      .slice(i, i + 2)
      .sort((a, b) => Number(b.startsWith('https')) - Number(a.startsWith('https')));
    if (hashes.get(basename(address)) === hash && address.includes(`/v${version}/`)) continue;
    wrong++;
    console.log(`${name}: ${address} has not the checksum ${hash}`);
  }
}
if (recipes < 4) {
  wrong++;
  console.log(`only ${recipes} recipes were found in ${folder}`);
}
process.exitCode = wrong > 0 ? 1 : 0;
