// Copyright The ctx-lsp authors. MIT licence.

// Runs one lane of the tests and reports each case to run.mjs, which has started this process.
import { join } from 'node:path';
import { inFirefox } from './firefox.mjs';
import { forged } from './forged.mjs';
import { hostedAnswers } from './hosted.mjs';
import { inChromium, withoutExtension } from './in-chromium.mjs';
import { inPages } from './in-pages.mjs';
import { inPrivate } from './in-private.mjs';
import { inUpdated } from './in-updated.mjs';
import { modes } from './modes.mjs';
import { packaging } from './package.mjs';
import { serve } from './site.mjs';
import { siteFiles } from './sites.mjs';
import { traffic } from './traffic.mjs';
import { truth } from './truth.mjs';
import { keptTurns } from './turns.mjs';
import { units } from './unit.mjs';
import { views } from './views.mjs';
import { writtenText } from './written.mjs';

const lanes = {
  // Without a browser. A case that fails here fails every time.
  node: [units, writtenText, views, modes, siteFiles, keptTurns, forged, truth, traffic, hostedAnswers, packaging],
  chromium: [inChromium],
  pages: [inPages],
  // In browsers of their own, for changes that cannot be undone in one that other cases use.
  alone: [inPrivate, inUpdated, withoutExtension],
  firefox: [inFirefox],
};

const [lane, ...only] = process.argv.slice(2);
const dist = (name) => join(import.meta.dirname, '../dist', name);
const shots = join(import.meta.dirname, 'shots');
const tries = lane === 'node' ? 1 : 2;

// Lines that a case prints are shown below its name.
const print = console.log;
let notes = [];
console.log = (line) => notes.push(line);

async function test(name, body) {
  if (only.length > 0 && !only.some((o) => name.includes(o))) return;
  const started = performance.now();
  const faults = [];
  notes = [];
  do {
    try {
      await body();
      break;
    } catch (e) {
      faults.push(String(e?.stack ?? e));
    }
  } while (faults.length < tries);
  const seconds = (performance.now() - started) / 1000;
  process.send({ name, seconds, faults, passed: faults.length < tries, notes });
  notes = [];
}

const site = lane === 'node' ? null : await serve();
for (const area of lanes[lane]) {
  // A browser that does not start is one failure, and the other areas still run.
  await area({ test, site, dist, shots }).catch((e) => test(area.name, () => Promise.reject(e)));
}
site?.close();
console.log = print;
process.disconnect();
process.exitCode = 0;
