// Copyright The ctx-lsp authors. MIT licence.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { privacyWith } from '../privacy.mjs';
import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

const here = import.meta.dirname;
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const zip = (browser) => join(here, `../dist/ctx-lsp-${browser}-${json(join(here, '../package.json')).version}.zip`);

/** Tests the package: permissions, languages, lint, size, and reproducibility. */
export async function packaging({ test, dist }) {
  await test('permissions are the ones declared, and no more', () => {
    for (const browser of ['chromium', 'firefox']) {
      const m = json(join(dist(browser), 'manifest.json'));
      same(m.permissions, ['storage'], browser);
      same(
        m.host_permissions.map((h) => new URL(h.replace('*', '')).hostname),
        [
          'chatgpt.com',
          'chat.openai.com',
          'claude.ai',
          'gemini.google.com',
          'aistudio.google.com',
          'chat.deepseek.com',
          'grok.com',
          'www.kimi.com',
          'kimi.com',
          'chat.mistral.ai',
          'chat.qwen.ai',
        ],
        browser,
      );
      same(m.optional_permissions, ['scripting'], browser);
      const at = Object.fromEntries(m.content_scripts.map((c) => [c.js[0], c.matches.map((h) => new URL(h).hostname)]));
      same(at['content.js'].length, m.host_permissions.length, `${browser}: pages that are read`);
      same(
        at['wrapper.js'],
        ['chatgpt.com', 'chat.openai.com', 'claude.ai', 'gemini.google.com', 'chat.deepseek.com'],
        `${browser}: pages whose fetch is wrapped`,
      );
      holds(readFileSync(join(dist(browser), 'LICENSE.txt'), 'utf8').includes('MIT'), `${browser}: no licence`);
    }
    same(
      json(join(dist('firefox'), 'manifest.json')).browser_specific_settings.gecko.data_collection_permissions,
      { required: ['none'] },
      'data collection',
    );
  });

  await test('PRIVACY lists the sites, as their files do', async () => {
    const { known } = await load('adapter/index.ts');
    const text = readFileSync(join(here, '../PRIVACY.md'), 'utf8');
    same(privacyWith(text, known), text, 'run `node build.mjs --privacy`');
    for (const s of known)
      for (const h of s.hosts) {
        const row = text.split('\n').find((l) => l.startsWith(`| ${s.name} `)) ?? '';
        same([row.includes(h), /responses/.test(row)], [true, s.answers.length > 0], h);
      }
  });

  await test('every language has every message, and every message that is asked for is there', () => {
    const keys = (l) => Object.keys(json(join(here, '../_locales', l, 'messages.json'))).sort();
    same(keys('de'), keys('en'), 'de');
    const html = ['options/options.html'].map((f) => readFileSync(join(dist('chromium'), f), 'utf8')).join('');
    same(
      [...html.matchAll(/data-say="(\w+)"/g)].map((m) => m[1]).filter((k) => !keys('en').includes(k)),
      [],
      'missing',
    );
  });

  await test('web-ext lint finds nothing', () => {
    const out = execFileSync(
      join(here, '../node_modules/.bin/web-ext'),
      ['lint', '--self-hosted', '--output=json', '--source-dir', dist('firefox')],
      { maxBuffer: 1 << 26 },
    ).toString();
    const { errors, warnings } = JSON.parse(out.slice(out.indexOf('{')));
    same(
      [errors, warnings].flat().map((w) => `${w.code} ${w.file} ${w.line}`),
      [],
      'lint',
    );
  });

  await test('the zips are the same for the same sources, and small', () => {
    // Builds of the module are compared by its own tests; both of these zips hold the module that was packed before.
    const module = (folder) => readFileSync(join(folder, 'chromium/ctx.wasm'));
    const again = mkdtempSync(join(tmpdir(), 'ctx-dist-'));
    try {
      execFileSync('node', [join(here, '../build.mjs'), `--to=${again}`], {
        env: { ...process.env, TZ: 'Pacific/Auckland' },
      });
      const unchanged = module(again).equals(module(dist('.')));
      holds(unchanged, 'ctx.wasm was built anew meanwhile; run `make test-browser` again');
      for (const b of ['chromium', 'firefox'])
        holds(readFileSync(join(again, basename(zip(b)))).equals(readFileSync(zip(b))), `${b}: the zips differ`);
    } finally {
      rmSync(again, { recursive: true });
    }
    // TinyGo's module, which is released, imports nothing. Go's is four times as large.
    const { length: imports } = WebAssembly.Module.imports(new WebAssembly.Module(module(dist('.'))));
    const limit = imports === 0 ? 1_700_000 : 3_300_000;
    for (const b of ['chromium', 'firefox'])
      holds(statSync(zip(b)).size <= limit, `${b}: ${statSync(zip(b)).size} bytes; the limit is ${limit}`);
  });
}
