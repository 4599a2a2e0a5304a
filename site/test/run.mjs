// Copyright The ctx-lsp authors. MIT licence.

// The built site in real Chromium. The last line is "N passed, M failed".

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../links.mjs';
import { hostile } from './hostile.mjs';
import { serve } from './served.mjs';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'bin/site');
const shots = join(root, 'bin/site-shots');
const program = process.env.CTX_LSP ?? join(root, 'bin/ctx-lsp');
// The browser driver is that of the extension's tests.
const require = createRequire(join(root, 'extensions/browser/package.json'));
const { chromium } = require('playwright-core');
const axe = require.resolve('axe-core/axe.min.js');

let passed = 0;
let failed = 0;
const [, , only] = process.argv;
async function test(name, body) {
  if (only && !name.includes(only)) return;
  try {
    const note = await body();
    passed++;
    console.log(`ok    ${name}${note ? `: ${note}` : ''}`);
  } catch (cause) {
    failed++;
    console.log(
      `FAIL  ${name}\n      ${String(cause?.stack ?? cause)
        .split('\n')
        .slice(0, 6)
        .join('\n      ')}`,
    );
  }
}
function holds(is, what) {
  if (!is) throw new Error(what);
}
const same = (got, wanted, what) => holds(got === wanted, `${what}: ${got}, and not ${wanted}`);

const home = mkdtempSync(join(tmpdir(), 'ctx-site-'));
mkdirSync(shots, { recursive: true });
/** Returns the program's output on a machine without any setup. */
const printed = (...args) =>
  execFileSync(program, args, { encoding: 'utf8', env: { HOME: home, PATH: process.env.PATH }, maxBuffer: 1 << 26 });

const site = await serve(out);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const complaints = [];
const asked = [];
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.on('request', (r) => asked.push(r.url()));
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
  page.on('pageerror', (e) => complaints.push(String(e)));
  await page.goto(site.at + path);
  return page;
}
const ready = (page) => page.waitForSelector('body[data-ready]', { timeout: 60_000 });
/** Passes a file to the page's picker and waits for the result: the Reading, or an error message. */
async function give(page, file) {
  await page.evaluate(() => delete document.body.dataset.shown);
  await page.setInputFiles('#file', file);
  await page.waitForSelector('body[data-shown]', { timeout: 120_000 });
  return page.evaluate(() => ({
    fault: document.getElementById('fault').hidden ? '' : document.getElementById('fault').textContent,
    json: document.getElementById('json')?.textContent,
  }));
}
/** Returns a Reading without the parts that depend on a clock, a process or a path. */
function bare(text) {
  const {
    file,
    session,
    activity,
    waitingFor,
    since,
    because,
    shown,
    candidates,
    allowance,
    label,
    children,
    ...rest
  } = JSON.parse(text);
  // The program numbers the lines of a batch only if each follows the previous one; the page starts a new batch
  // instead.
  for (const item of rest.largest) delete item.place;
  return JSON.stringify({ ...rest, children: children.map((c) => [c.label, c.agent, c.model, c.used, c.basis]) });
}
/** Returns the parts of two texts around their first difference. */
function apart(a, b) {
  let i = 0;
  while (a[i] === b[i]) i++;
  return `${a.slice(Math.max(0, i - 80), i + 80)}\n${b.slice(Math.max(0, i - 80), i + 80)}`;
}
const fixtures = (folder) =>
  readdirSync(join(root, 'testdata', folder), { recursive: true })
    .filter((f) => /\.jsonl?$/.test(f))
    .map((f) => join(root, 'testdata', folder, f));

await test('the check of links sees each way in which a link is broken', () => {
  const bad = mkdtempSync(join(tmpdir(), 'ctx-links-'));
  writeFileSync(
    join(bad, 'a.html'),
    '<a href="b.html#there">1</a><a href="b.html#no">2</a><a href="c.html">3</a><a href="/b.html">4</a><p style="x">5</p><img src="d.png"><a href="../e">6</a><a href="https://example.org/no">7</a>',
  );
  writeFileSync(join(bad, 'b.html'), '<h1 id="there">b</h1><script>1</script>');
  const { wrong, followed } = check(bad);
  rmSync(bad, { recursive: true });
  same(wrong.length, 7, wrong.join('\n'));
  same(followed, 6, 'links followed');
});

const page = await open('try/index.html');
await ready(page);
const before = site.requests.length;
await page.context().setOffline(true);

await test('each session has the numbers of ctx-lsp status --json', async () => {
  let read = 0;
  const different = [];
  // The sample of calls does not belong to an agent.
  for (const file of [...fixtures('sessions'), ...fixtures('lines')].filter((f) => !f.endsWith('/sample.jsonl'))) {
    const { fault, json } = await give(page, file);
    if (fault !== '') {
      different.push(`${file}: ${fault}`);
    } else if (bare(json) !== bare(printed('status', '--json', file))) {
      different.push(`${file}: ${apart(bare(json), bare(printed('status', '--json', file)))}`);
    }
    read++;
  }
  holds(different.length === 0, different.join('\n'));
  holds(read >= 33, `only ${read} sessions`);
  return `${read} sessions`;
});

await test('the page shows what the reader of a session was compared with', async () => {
  for (const [folder, sentence] of [
    ['sessions/claude-code', /^Claude Code: run in the lab, version \d+\.\d+\.\d+\.$/],
    ['sessions/roo-code', /^Roo Code: compared with recordings of \d{4}-\d{2} only, without a promise\.$/],
  ]) {
    await give(page, fixtures(folder)[0]);
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('#reading details')) each.open = true;
    });
    const shown = await page
      .locator('dt', { hasText: /^The reader$/ })
      .locator('+ dd')
      .innerText();
    holds(sentence.test(shown), `it says "${shown}"`);
  }
});

for (const { name, file, body, wanted, shows } of hostile(home)) {
  await test(`hostile: ${name}`, async () => {
    const path = join(home, file);
    writeFileSync(path, body());
    const { fault, json } = await give(page, path);
    rmSync(path);
    if (wanted) holds(wanted.test(fault), `it says "${fault}"`);
    else holds(json && shows(JSON.parse(json), await page.innerText('#reading')), `${fault} ${json}`);
    same(
      await page.evaluate(() => document.querySelectorAll('#reading img, #reading script').length),
      0,
      'elements out of a transcript',
    );
    return wanted ? fault.slice(0, 100) : '';
  });
}

await test('a text is counted as ctx-lsp count counts it', async () => {
  const text = 'Was heißt „Kontext“? 文脈 🎉 <|endoftext|> <b>bold</b>';
  const path = join(home, 'text');
  writeFileSync(path, text);
  for (const model of ['gpt-5.5', 'gpt-4', 'claude-opus-5']) {
    await page.selectOption('#model', model);
    await page.fill('#counted', text);
    const { files } = JSON.parse(printed('count', '--json', '--model', model, path));
    const tokens = new Intl.NumberFormat('en').format(files[0].tokens);
    await page.waitForFunction(
      (t) => document.getElementById('tokens').textContent.match(/^~?([\d,]+) tokens/)?.[1] === t,
      tokens,
      { timeout: 5000 },
    );
  }
});

await test('nothing was asked of anybody since the page was ready, and the page was offline all the time', () => {
  same(site.requests.length, before, 'requests');
  const elsewhere = asked.filter((u) => !u.startsWith(site.at) && !u.startsWith('blob:'));
  same(elsewhere.length, 0, elsewhere.join(' '));
  holds(
    site.requests.every((r) => /^GET [^?]+$/.test(r)),
    site.requests.join('\n'),
  );
});

await test('100 MB are read while the page answers at once', async () => {
  const path = join(home, 'large.jsonl');
  const one = execFileSync('cat', [join(root, 'testdata/sessions/claude-code/turns.jsonl')]);
  const turn = (i) =>
    `${JSON.stringify({ type: 'user', uuid: `u${i}`, parentUuid: i ? `u${i - 1}` : null, isSidechain: false, sessionId: 's', timestamp: '2026-03-01T10:00:00Z', message: { role: 'user', content: 'The build fails again, and here is the log of it. '.repeat(400) } })}\n`;
  const parts = [one];
  for (let i = 0, size = 0; size < 100e6; i++) {
    const line = Buffer.from(turn(i));
    parts.push(line);
    size += line.length;
  }
  writeFileSync(path, Buffer.concat(parts));
  await page.evaluate(() => {
    window.gaps = [];
    let last = performance.now();
    const tick = () => {
      window.gaps.push(performance.now() - last);
      last = performance.now();
      window.ticking = setTimeout(tick, 10);
    };
    tick();
  });
  const started = Date.now();
  const { fault, json } = await give(page, path);
  const took = Date.now() - started;
  const worst = await page.evaluate(() => {
    clearTimeout(window.ticking);
    return Math.max(...window.gaps);
  });
  rmSync(path);
  same(fault, '', 'the sentence');
  holds(JSON.parse(json).used > 1e6, 'it read little');
  holds(worst < 500, `the page did not answer for ${Math.round(worst)} ms`);
  return `${(took / 1000).toFixed(1)} s, and the page waited for at most ${Math.round(worst)} ms`;
});

/** Makes a worker read the next file endlessly, so that only terminating its thread stops it. */
const readEndlessly = (worker) =>
  worker.evaluate(() => {
    Blob.prototype.stream = () => {
      for (;;);
    };
  });

await test('a second file stops the first, and the button stops reading', async () => {
  const file = join(root, 'testdata/sessions/claude-code/compacted.jsonl');
  await page.context().setOffline(false); // a new worker loads its own files again, from the same location
  await readEndlessly(page.workers()[0]);
  await page.setInputFiles('#file', file);
  const [worker] = await Promise.all([page.waitForEvent('worker'), page.click('#stop')]);
  await page.waitForSelector('#fault:not([hidden])');
  same(await page.innerText('#fault'), 'Reading was stopped.', 'the sentence');
  await readEndlessly(worker);
  await page.setInputFiles('#file', file);
  const { fault, json } = await give(page, file);
  holds(json && fault === '', `the second file: ${fault}`);
});

await test('a file is dropped, and the sample is shown by keyboard alone', async () => {
  const fresh = await open('try/index.html', { colorScheme: 'dark' });
  await ready(fresh);
  const transfer = await fresh.evaluateHandle(async () => {
    const data = new DataTransfer();
    data.items.add(new File([await (await fetch('sample.jsonl')).text()], 'sample.jsonl'));
    return data;
  });
  await fresh.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await fresh.waitForSelector('#json', { state: 'attached', timeout: 30_000 });
  const dropped = await fresh.textContent('#json');
  await fresh.reload();
  await ready(fresh);
  await fresh.focus('#file');
  await fresh.keyboard.press('Tab');
  await fresh.keyboard.press('Enter');
  await fresh.waitForSelector('#json', { state: 'attached', timeout: 30_000 });
  same(await fresh.textContent('#json'), dropped, 'the Reading');
  same(await fresh.evaluate(() => document.activeElement.id), 'named', 'where the focus is');
  same(bare(dropped), bare(printed('status', '--json', join(out, 'try/sample.jsonl'))), 'the numbers');
  await fresh.screenshot({ path: join(shots, 'try-dark.png'), fullPage: true });
  await fresh.context().close();
});

await test('the policy allows no other host', async () => {
  const fresh = await open('try/index.html');
  const refused = await fresh.evaluate(async () => {
    const violation = new Promise((resolve) =>
      addEventListener('securitypolicyviolation', (e) => resolve(e.effectiveDirective)),
    );
    await fetch('https://example.org/').catch(() => {});
    return violation;
  });
  same(refused, 'connect-src', 'what was refused');
  complaints.splice(0);
  await fresh.context().close();
});

for (const colorScheme of ['light', 'dark']) {
  await test(`axe finds nothing, ${colorScheme}`, async () => {
    for (const path of ['index.html', 'docs/protocol.html', 'docs/agents.html', 'try/index.html']) {
      const fresh = await open(path, { colorScheme, bypassCSP: true });
      if (path === 'try/index.html') {
        await ready(fresh);
        await give(fresh, join(root, 'testdata/sessions/claude-code/compacted.jsonl'));
        for (const summary of await fresh.$$('main summary')) await summary.click();
      }
      await fresh.addScriptTag({ path: axe });
      const { violations } = await fresh.evaluate(() => axe.run(document));
      holds(
        violations.length === 0,
        `${path}: ${violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))}`).join('\n')}`,
      );
      await fresh.screenshot({ path: join(shots, `${path.replaceAll('/', '-')}-${colorScheme}.png`) });
      if (path === 'try/index.html')
        await fresh.screenshot({ path: join(shots, `try-${colorScheme}.png`), fullPage: true });
      await fresh.context().close();
    }
  });
}

await test('a narrow page scrolls in one direction only', async () => {
  for (const path of ['index.html', 'docs/protocol.html', 'try/index.html']) {
    const fresh = await open(path, { viewport: { width: 360, height: 740 } });
    if (path === 'try/index.html') {
      await ready(fresh);
      await give(fresh, join(root, 'testdata/sessions/claude-code/compacted.jsonl'));
    }
    const wide = await fresh.evaluate(() => document.documentElement.scrollWidth);
    holds(wide <= 360, `${path} is ${wide} wide`);
    await fresh.screenshot({ path: join(shots, `narrow-${path.replaceAll('/', '-')}.png`) });
    await fresh.context().close();
  }
});

await test('no page complained in its console', () => same(complaints.length, 0, complaints.join('\n')));

await browser.close();
site.close();
rmSync(home, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
