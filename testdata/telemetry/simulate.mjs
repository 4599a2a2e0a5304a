// Copyright The ctx-lsp authors. MIT licence.
//
// Writes a table of ROWS rows as an organisation's would be, and asks it the questions of docs/export.md, with times.
//   node simulate.mjs CTX-LSP TOOLS FOLDER ROWS TRANSCRIPTS
// Each row is one of the transcripts' own, as the export wrote it, of another session, project and time, and with its
// tokens scaled by a factor of that session. There is a file for each day and agent, as the export has them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [program, tools, folder] = process.argv.slice(2, 5).map((each) => resolve(each));
const [rows, transcripts] = [Number(process.argv[5]), resolve(process.argv[6])];
const days = 90;
const { DuckDBInstance } = createRequire(join(tools, 'package.json'))('@duckdb/node-api');
mkdirSync(folder, { recursive: true });
spawnSync(program, ['export', '--key=simulated', `--out=${join(folder, 'real')}`, transcripts], { stdio: 'inherit' });
const db = await (await DuckDBInstance.create(':memory:', { memory_limit: '4GB' })).connect();
const ask = async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJson();
await db.run(`create table base as select * exclude (day) from read_parquet('${folder}/real/*/*/*.parquet')`);
const agents = await ask('select agent, count(*)::int as n from base group by agent order by agent');
const total = agents.reduce((sum, { n }) => sum + n, 0);
const columns = (await ask('describe base')).map(({ column_name }) => column_name);
const kinds = columns.filter((each) => each.startsWith('row_'));
const scaled = [
  '"in"',
  '"out"',
  'reasoning',
  'cache_read',
  'cache_write',
  'predicted',
  'low',
  'high',
  '"error"',
  ...kinds,
];
const begun = Date.now();
let files = 0;
let bytes = 0;
for (let day = 0; day < days; day++) {
  const date = new Date(Date.UTC(2026, 7, 1 + day)).toISOString().slice(0, 10);
  for (const { agent } of agents) {
    const copies = Math.max(1, Math.round(rows / days / total));
    const at = join(folder, 'table', `day=${date}`, `agent=${agent}`);
    mkdirSync(at, { recursive: true });
    const replaced = [
      `timestamp '${date}' + to_milliseconds(begin + call * 15000) as time`,
      'named as session',
      'of as project',
      ...scaled.map((each) => `(${each} * f)::bigint as ${each}`),
      `(${kinds.map((each) => `(${each} * f)::bigint`).join(' + ')}) as used`,
    ];
    await db.run(`copy (
      with made as (
        select session as was, hash(session, copy, ${day}) as h, 0.4 + (h % 1000) / 900.0 as f,
          (h % 60000000)::bigint as begin, left(md5(h::varchar), 24) as named, left(md5((h % 3000)::varchar), 24) as of
        from (select distinct session from base where agent = '${agent}'), range(${copies}) as copies(copy))
      select base.* replace (${replaced.join(', ')}) from base join made on base.session = made.was
    ) to '${join(at, 'simulated.parquet')}' (format parquet, compression zstd)`);
    files++;
    bytes += statSync(join(at, 'simulated.parquet')).size;
  }
  if (day % 10 === 9)
    console.log(`${day + 1} days, ${(bytes / 1e9).toFixed(2)} GB, ${((Date.now() - begun) / 1000).toFixed(0)} s`);
}
const [{ n }] = await ask(`select count(*)::bigint as n from read_parquet('${folder}/table/*/*/*.parquet')`);
console.log(
  `${n} rows in ${files} files, ${(bytes / 1e9).toFixed(2)} GB, written in ${((Date.now() - begun) / 1000).toFixed(0)} s`,
);
const text = readFileSync('docs/export.md', 'utf8').match(/```sql\n(create view[\s\S]*?)```/)[1];
for (const statement of text.replaceAll('table/*', `${folder}/table/*`).split(';')) {
  if (!statement.trim()) continue;
  const name = statement.match(/-- (\d+\..*)/)?.[1] ?? 'the view';
  const times = [];
  let answer = [];
  for (let i = 0; i < (name === 'the view' ? 1 : 2); i++) {
    const start = performance.now();
    answer = await ask(statement);
    times.push(performance.now() - start);
  }
  console.log(`| ${name} | ${answer.length} rows | ${(Math.min(...times) / 1000).toFixed(1)} s |`);
}
const status = readFileSync('/proc/self/status', 'utf8');
console.log(`${Math.round(Number(status.match(/VmHWM:\s+(\d+)/)?.[1]) / 1024)} MB of memory at most`);
