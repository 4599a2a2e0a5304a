// Copyright The ctx-lsp authors. MIT licence.
//
// Asks DuckDB the questions of docs/export.md, of a table that was just exported.
//   node questions.mjs CTX-LSP TOOLS
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, counted } from '../checks.mjs';

const [program, tools] = [resolve(process.argv[2]), resolve(process.argv[3])];
const { DuckDBInstance } = createRequire(join(tools, 'package.json'))('@duckdb/node-api');
const folder = mkdtempSync(join(tmpdir(), 'ctx-export-'));
try {
  const sessions = resolve('testdata/sessions');
  const run = (...args) =>
    spawnSync(program, ['export', '--key=k', ...args, sessions], { cwd: folder, encoding: 'utf8' });
  run('--out=table');
  const all = run('--format=jsonl')
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // The view has one row per request: of the copies in one export, the first in its order.
  const before = (a, b) =>
    a.session !== b.session ? a.session < b.session : a.project !== b.project ? a.project > b.project : a.call < b.call;
  const first = new Map();
  for (const row of all)
    if (!first.has(row.request) || before(row, first.get(row.request))) first.set(row.request, row);
  const rows = [...first.values()];
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const text = readFileSync('docs/export.md', 'utf8').match(/```sql\n(create view[\s\S]*?)```/)[1];
  const statements = text
    .replaceAll('table/*', `${join(folder, 'table').replaceAll('\\', '/')}/*`)
    .split(';')
    .filter((each) => each.trim());
  const answers = [];
  for (const statement of statements) {
    const name = statement.match(/-- (\d+\..*)/)?.[1] ?? 'the view';
    try {
      answers.push(await (await db.runAndReadAll(statement)).getRowObjectsJson());
      const last = answers.at(-1);
      check(name, name === 'the view' || /MCP|100,000/.test(name) || last.length > 0, JSON.stringify(last));
    } catch (problem) {
      answers.push([]);
      check(name, false, problem.message);
    }
  }
  check('there are ten questions', answers.length === 11, answers.length);
  const count = await (
    await db.runAndReadAll('select count(*) as n, sum("in") as total from requests')
  ).getRowObjectsJson();
  const total = rows.reduce((sum, row) => sum + row.in, 0);
  check(
    'the table is what the rows are',
    Number(count[0].n) === rows.length && Number(count[0].total) === total,
    `${JSON.stringify(count)} ${rows.length} ${total}`,
  );
  const keys = await (
    await db.runAndReadAll(
      'select count(*) as n, count(distinct exported_at) as runs, min(schema) as schema from requests',
    )
  ).getRowObjectsJson();
  check(
    'each request is one row by its key',
    Number(keys[0].n) === rows.length &&
      all.length > rows.length &&
      Number(keys[0].runs) === 1 &&
      keys[0].schema === rows[0].schema,
    `${JSON.stringify(keys)} ${rows.length} of ${all.length}`,
  );
  const compacted = answers[2].reduce((sum, row) => sum + Number(row.compactions), 0);
  check('compactions by agent', compacted === rows.filter((row) => row.compacted).length, compacted);
  const misses = answers[3].reduce((sum, row) => sum + Number(row.steps), 0);
  check('errors by step', misses === rows.filter((row) => row.error !== null).length, misses);
} catch (problem) {
  check('the questions', false, problem.stack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`questions ${counted.passed} ${counted.failed}`);
