// Copyright The ctx-lsp authors. MIT licence.

// Runs the tests of the extension: those that need no browser, and those that drive it in real browsers on pages served
// as the chat sites. A lane is a process; the lanes run at the same time, because browsers mostly wait. The last lines
// are the slowest cases, the unsteady ones (which failed once and passed once), and "N passed, M failed". With
// arguments only tests whose names have one of them run.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
mkdirSync(join(here, 'shots'), { recursive: true });
const cases = [];

function report({ name, seconds, faults, passed, notes }) {
  cases.push({ name, seconds, passed, unsteady: passed && faults.length > 0 });
  const verdict = !passed ? 'FAIL ' : faults.length > 0 ? 'again' : 'ok   ';
  console.log([`${verdict} ${name}`, ...notes, ...faults.map((f) => `      ${f}`)].join('\n'));
}

/** Runs a lane to its end. A process that ends otherwise is a failed case. */
const run = (lane) =>
  new Promise((done) => {
    const child = fork(join(here, 'lane.mjs'), [lane, ...process.argv.slice(2)]);
    const started = performance.now();
    child.on('message', report);
    child.on('exit', (code, signal) => {
      const seconds = (performance.now() - started) / 1000;
      if (code !== 0)
        report({ name: `${lane}: ends`, seconds, faults: [`exit ${code ?? signal}`], passed: false, notes: [] });
      done();
    });
  });

await Promise.all(['pages', 'chromium', 'firefox', 'alone', 'node'].map(run));

const slowest = cases.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
for (const { name, seconds } of slowest) console.log(`slow: ${seconds.toFixed(1)} test-browser: ${name}`);
for (const { name } of cases.filter((c) => c.unsteady)) console.log(`unsteady: ${name}`);
const passed = cases.filter((c) => c.passed).length;
const failed = cases.length - passed;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
