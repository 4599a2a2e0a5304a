// Copyright The ctx-lsp authors. MIT licence.
//
// Tries the statements of docs/export.md for other stores: ClickHouse makes its table from an export and is asked what
// stands in it, and parsers of Spark and Trino read theirs. The parsers come in a form for bundlers, so that esbuild
// bundles them first.
//   node stores.mjs CTX-LSP TOOLS
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, counted } from '../checks.mjs';

const program = resolve(process.argv[2]);
const tools = resolve(process.argv[3], 'stores');
const folder = mkdtempSync(join(tmpdir(), 'ctx-stores-'));

mkdirSync(tools, { recursive: true });
if (!existsSync(join(tools, 'node_modules/chdb')) || !existsSync(join(tools, 'node_modules/dt-sql-parser'))) {
  writeFileSync(join(tools, 'package.json'), '{"private": true}\n');
  const packages = ['chdb@3.4.0', 'dt-sql-parser@4.5.1', 'esbuild@0.25'];
  const flags = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  spawnSync('npm', ['install', '--prefix', tools, ...flags, ...packages], { stdio: 'inherit' });
}

const text = readFileSync('docs/export.md', 'utf8').split('## In other stores')[1];
const statements = new Map();
for (const [, store, sql] of text.matchAll(/^(\w+)[^\n]*:\n\n```sql\n([\s\S]*?)```/gm))
  statements.set(store, sql.trim());
check('four stores are shown', statements.size === 4, [...statements.keys()]);

try {
  const entry = join(tools, 'parsers.mjs');
  writeFileSync(entry, "export { SparkSQL, TrinoSQL } from './node_modules/dt-sql-parser/dist/index.js';\n");
  const bundle = join(tools, 'bundle.mjs');
  const esbuild = ['--bundle', '--platform=node', '--format=esm', '--log-level=error', `--outfile=${bundle}`];
  spawnSync(join(tools, 'node_modules/.bin/esbuild'), [entry, ...esbuild], { stdio: 'inherit' });
  const { SparkSQL, TrinoSQL } = await import(bundle);
  for (const [store, parser] of [
    ['Spark', new SparkSQL()],
    ['Trino', new TrinoSQL()],
  ]) {
    const faults = parser.validate(statements.get(store));
    check(`${store} parses its statement`, faults.length === 0, JSON.stringify(faults));
    const broken = parser.validate(statements.get(store).replace('TABLE', 'TABEL'));
    check(`${store}'s parser finds a fault`, broken.length > 0, 'it found none');
  }
} catch (problem) {
  check('the parsers', false, problem.stack);
}

try {
  const run = (...args) =>
    spawnSync(program, ['export', '--key=k', ...args, resolve('testdata/sessions')], { cwd: folder, encoding: 'utf8' });
  run('--out=table');
  const lines = run('--format=jsonl').stdout.trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line));
  const { Session } = createRequire(join(tools, 'package.json'))('chdb');
  const clickhouse = new Session(join(folder, 'clickhouse'));
  const shown = statements.get('ClickHouse').replace(/;$/, '');
  const made = shown.replace(/s3\('https:\/\/[^/]+\/table\//, `file('${join(folder, 'table')}/`);
  check('the files are read from here', made !== shown, shown);
  clickhouse.query(made);
  const ask = (sql) => JSON.parse(clickhouse.query(sql, 'JSONCompact')).data.map((row) => row.map(Number));
  const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
  const [answer] = ask(
    'select count(), sum("in"), sum(used), countIf(compacted), uniqExact(session), sum(length(servers)), sum(ifNull(error, 0)) from requests',
  );
  const sessions = new Set(rows.map((row) => row.session)).size;
  const told = [rows.length, sum((r) => r.in), sum((r) => r.used), rows.filter((r) => r.compacted).length, sessions];
  told.push(
    sum((r) => r.servers.length),
    sum((r) => r.error ?? 0),
  );
  check("ClickHouse's table is what the rows are", `${answer}` === `${told}`, `${answer} ${told}`);
  const times = ask('select count() from requests where toDate(time) = day and time is not null')[0][0];
  check('each row stands in the folder of its day', times === rows.filter((r) => r.time).length, times);
  clickhouse.close?.();
} catch (problem) {
  check('ClickHouse', false, problem.stack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${counted.passed} passed, ${counted.failed} failed`);
process.exit(counted.failed > 0 ? 1 : 0);
