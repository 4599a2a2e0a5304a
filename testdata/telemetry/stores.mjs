// Copyright The ctx-lsp authors. MIT licence.
//
// Parses the statements of docs/export.md for Trino, which is not run. The parser comes in a form for bundlers, so that
// esbuild bundles it first.
//   node stores.mjs TOOLS
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { check, counted } from '../checks.mjs';

const tools = resolve(process.argv[2], 'stores');

mkdirSync(tools, { recursive: true });
if (!existsSync(join(tools, 'node_modules/dt-sql-parser'))) {
  writeFileSync(join(tools, 'package.json'), '{"private": true}\n');
  const packages = ['dt-sql-parser@4.5.1', 'esbuild@0.25'];
  const flags = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  spawnSync('npm', ['install', '--prefix', tools, ...flags, ...packages], { stdio: 'inherit' });
}

const trino = readFileSync('docs/export.md', 'utf8')
  .match(/^Trino[^\n]*:\n\n```sql\n([\s\S]*?)```/m)[1]
  .trim();

try {
  const entry = join(tools, 'parsers.mjs');
  writeFileSync(entry, "export { TrinoSQL } from './node_modules/dt-sql-parser/dist/index.js';\n");
  const bundle = join(tools, 'bundle.mjs');
  const esbuild = ['--bundle', '--platform=node', '--format=esm', '--log-level=error', `--outfile=${bundle}`];
  spawnSync(join(tools, 'node_modules/.bin/esbuild'), [entry, ...esbuild], { stdio: 'inherit' });
  const { TrinoSQL } = await import(bundle);
  const parser = new TrinoSQL();
  const faults = parser.validate(trino);
  check('Trino parses its statements', faults.length === 0, JSON.stringify(faults));
  const broken = parser.validate(trino.replace('TABLE', 'TABEL'));
  check("Trino's parser finds a fault", broken.length > 0, 'it found none');
} catch (problem) {
  check('the parser', false, problem.stack);
}

console.log(`${counted.passed} passed, ${counted.failed} failed`);
process.exit(counted.failed > 0 ? 1 : 0);
