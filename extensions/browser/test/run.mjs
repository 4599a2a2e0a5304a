// Copyright The ctx-lsp authors. MIT licence.

// Drives the extension in real browsers on pages served as the chat sites. The last line is "N passed, M failed". With
// arguments only tests whose names have one of them run.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { faces } from './faces.mjs';
import { inFirefox } from './firefox.mjs';
import { hostedAnswers } from './hosted.mjs';
import { inChromium } from './in-chromium.mjs';
import { inPrivate } from './in-private.mjs';
import { inUpdated } from './in-updated.mjs';
import { packaging } from './package.mjs';
import { serve } from './site.mjs';
import { traffic } from './traffic.mjs';
import { truth } from './truth.mjs';
import { units } from './unit.mjs';
import { writtenText } from './written.mjs';

const dist = (name) => join(import.meta.dirname, '../dist', name);
const shots = join(import.meta.dirname, 'shots');
mkdirSync(shots, { recursive: true });
const only = process.argv.slice(2);

let passed = 0;
let failed = 0;
async function test(name, body) {
  if (only.length > 0 && !only.some((o) => name.includes(o))) return;
  try {
    await body();
    passed++;
    console.log(`ok    ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAIL  ${name}\n      ${e?.stack ?? e}`);
  }
}

const site = await serve();
await units({ test });
await writtenText({ test });
await faces({ test });
await truth({ test });
await traffic({ test });
await hostedAnswers({ test });
for (const area of [inChromium, inPrivate, inUpdated, inFirefox, packaging]) {
  // A browser that does not start is one failure, and the others still run.
  await area({ test, site, dist, shots }).catch((e) => test(area.name, () => Promise.reject(e)));
}
site.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
