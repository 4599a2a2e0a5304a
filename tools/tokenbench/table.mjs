// Copyright The ctx-lsp authors. MIT licence.

// Turns the lines of bench and peers.mjs into the tables of docs/performance.md: one of what is native, one of Node.
//
//   cat results.jsonl | node table.mjs
import { readFileSync } from 'node:fs';

const results = readFileSync(0, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const ordinals = { 2: 'second', 5: 'fifth' };
const cell = (n) => (n >= 100 ? n.toFixed(0) : n.toFixed(1));
const times = (n) => (n >= 10 ? n.toFixed(0) : n.toFixed(1));
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const head = (...cells) => {
  console.log();
  row(...cells);
  console.log(
    `|:--|${cells
      .slice(1)
      .map(() => '--:')
      .join('|')}|`,
  );
};

for (const passes of new Set(results.map((r) => r.passes))) {
  const shown = results.filter((r) => r.passes === passes);
  const names = shown.map((r) => r.name);
  // Beside the speeds stands how many times as fast we are as the port that Go programs use most.
  const own = shown.find((r) => r.name.startsWith('ctx-lsp'));
  const port = own && shown.find((r) => r.name === 'pkoukk/tiktoken-go');
  console.log(`\nMB/s, first pass / ${ordinals[passes]} pass, ${shown[0].encoding}`);
  head('text', ...names, ...(port ? ['ctx-lsp / pkoukk'] : []));
  for (const c of Object.keys(shown[0].cold)) {
    const speeds = shown.map((r) => `${cell(r.cold[c])} / ${cell(r.warm[c])}`);
    row(c, ...speeds, ...(port ? [`${times(own.cold[c] / port.cold[c])} / ${times(own.warm[c] / port.warm[c])}`] : []));
  }
  head('', ...names);
  row('loading, ms', ...shown.map((r) => cell(r.load)));
  if (shown.every((r) => r.firstCount)) row('first count, ms', ...shown.map((r) => cell(r.firstCount)));
  row('most memory, MB', ...shown.map((r) => r.memory.toFixed(0)));
}

// js-tiktoken counts the beginnings of the texts only.
const whole = results.filter((r) => r.name !== 'js-tiktoken');
for (const c of Object.keys(results[0].counts)) {
  const counts = new Set(whole.map((r) => r.counts[c]));
  if (counts.size > 1) console.log(`\n${c}: ${whole.map((r) => `${r.name} counts ${r.counts[c]}`).join(', ')}`);
}
