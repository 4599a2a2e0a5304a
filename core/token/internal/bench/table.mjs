// Turns the lines of bench and peers.mjs into the tables of docs/performance.md.
//
//   cat results.jsonl | node table.mjs
import { readFileSync } from 'node:fs';

const results = readFileSync(0, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const classes = Object.keys(results[0].cold);
const cell = (n) => (n === undefined ? '' : n >= 100 ? n.toFixed(0) : n.toFixed(1));
console.log(`MB/s, first pass / second pass, ${results[0].encoding}\n`);
console.log(`| text | ${results.map((r) => r.name).join(' | ')} |`);
console.log(`|:--|${results.map(() => '--:').join('|')}|`);
for (const c of classes) console.log(`| ${c} | ${results.map((r) => `${cell(r.cold[c])} / ${cell(r.warm[c])}`).join(' | ')} |`);
const whole = results.filter((r) => r.name !== 'js-tiktoken');
for (const c of classes) {
  const counts = new Set(whole.map((r) => r.counts[c]));
  if (counts.size > 1) console.log(`\n${c}: ${whole.map((r) => `${r.name} counts ${r.counts[c]}`).join(', ')}`);
}
const started = results.filter((r) => r.first);
if (started.length) {
  console.log(`\n| | ${started.map((r) => r.name).join(' | ')} |\n|:--|${started.map(() => '--:').join('|')}|`);
  console.log(`| first count, ms | ${started.map((r) => cell(r.first)).join(' | ')} |`);
  console.log(`| memory, MB | ${started.map((r) => r.memory || '').join(' | ')} |`);
}
