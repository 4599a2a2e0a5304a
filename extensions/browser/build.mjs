// Copyright The ctx-lsp authors. MIT licence.

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
// Builds dist/chromium and dist/firefox, and a zip of each that is the same for the same sources. With --test it builds
// dist/test-chromium and dist/test-firefox instead, which can also run the conformance vectors in their workers, and
// have the permission for two more pages, because no user can grant it. --to=DIRECTORY takes the place of dist.
// --privacy writes the list of sites in PRIVACY.md and builds nothing.
import { build } from 'esbuild';
import { zipSync } from 'fflate';
import { listed } from './folders.mjs';
import { withPhrases } from './phrases.mjs';
import { privacyWith } from './privacy.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');
// A release names its version, and the file with the notices of third parties that goes in.
const { CTX_VERSION, CTX_NOTICES } = process.env;
const version = CTX_VERSION || JSON.parse(await readFile(join(here, 'package.json'), 'utf8')).version;
const testing = process.argv.includes('--test');
const to = process.argv.find((a) => a.startsWith('--to='))?.slice(5) ?? join(here, 'dist');

/** The sites that the extension knows. */
async function sites() {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'src/adapter/index.ts')],
    bundle: true,
    plugins: [listed],
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { known } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  return known;
}
const known = await sites();
const pagesOf = (sites) => sites.flatMap((s) => s.hosts).map((h) => `https://${h}/*`);
const hosts = pagesOf(known);
/** The pages whose servers' responses are read. On the others nothing runs in the page's own world. */
const heard = pagesOf(known.filter((s) => s.answers.length > 0));

if (process.argv.includes('--privacy')) {
  const path = join(here, 'PRIVACY.md');
  const before = await readFile(path, 'utf8');
  await writeFile(path, privacyWith(before, known));
  process.exit(0);
}

const manifest = (browser) => ({
  manifest_version: 3,
  name: '__MSG_name__',
  description: '__MSG_description__',
  default_locale: 'en',
  version,
  homepage_url: 'https://github.com/ctx-lsp/ctx-lsp',
  permissions: testing ? ['storage', 'scripting'] : ['storage'],
  host_permissions: testing ? [...hosts, 'https://chat.example.org/*', 'http://192.168.7.5/*'] : hosts,
  optional_permissions: ['scripting'],
  optional_host_permissions: ['https://*/*', 'http://*/*'],
  background:
    browser === 'firefox'
      ? { scripts: ['worker.js'], type: 'module' }
      : { service_worker: 'worker.js', type: 'module' },
  content_scripts: [
    { matches: heard, js: ['wrapper.js'], run_at: 'document_start', world: 'MAIN' },
    { matches: hosts, js: ['content.js'], run_at: 'document_idle' },
    ...(testing ? [{ matches: hosts, js: ['ask.js'], run_at: 'document_idle' }] : []),
  ],
  action: { default_popup: 'popup/popup.html', default_title: '__MSG_name__' },
  options_ui: { page: 'options/options.html', open_in_tab: true },
  content_security_policy: {
    extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'; connect-src 'self'",
  },
  icons: { 48: 'icon.svg', 128: 'icon.svg' },
  ...(browser === 'firefox'
    ? {
        browser_specific_settings: {
          gecko: {
            id: 'ctx-lsp@ctx-lsp',
            strict_min_version: '140.0',
            data_collection_permissions: { required: ['none'] },
          },
        },
      }
    : { minimum_chrome_version: '120', icons: { 48: 'icon48.png', 128: 'icon128.png' } }),
});

// Test builds of `make test-shifted` have a clock that is days ahead; their timers and pages do not.
const ahead = testing ? Number(process.env.CTX_TEST_DAYS_AHEAD ?? 0) * 86_400_000 : 0;
const shiftedClock = `globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
  static now() { return super.now() + ${ahead}; }
};`;

for (const browser of ['chromium', 'firefox']) {
  const out = join(to, testing ? `test-${browser}` : browser);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'packs'), { recursive: true });
  const common = {
    bundle: true,
    plugins: [listed],
    target: browser === 'firefox' ? 'firefox140' : 'chrome120',
    logLevel: 'warning',
    legalComments: 'none',
    minify: true,
    ...(ahead !== 0 && { banner: { js: shiftedClock } }),
  };
  await build({
    ...common,
    format: 'esm',
    outdir: out,
    entryPoints: {
      worker: join(here, testing ? 'test/worker.mjs' : 'src/worker/worker.ts'),
      'popup/popup': join(here, 'src/popup/popup.ts'),
      'options/options': join(here, 'src/options/options.ts'),
      ...(testing && { 'details/details': join(here, 'test/details.mjs') }),
    },
  });
  await build({
    ...common,
    format: 'iife',
    outdir: out,
    entryPoints: {
      content: join(here, 'src/content/content.ts'),
      wrapper: join(here, 'src/page/wrapper.ts'),
      pick: join(here, 'src/pick/pick.ts'),
      ...(testing && { ask: join(here, 'test/ask.mjs') }),
    },
  });
  for (const [from, to] of [
    ['src/popup/popup.html', 'popup/popup.html'],
    ['src/options/options.html', 'options/options.html'],
    ['src/page.css', 'page.css'],
    ...(testing ? [['test/details.html', 'details/details.html']] : []),
    ...(browser === 'firefox'
      ? [['icon.svg', 'icon.svg']]
      : [
          ['icon48.png', 'icon48.png'],
          ['icon128.png', 'icon128.png'],
        ]),
  ])
    await cp(join(here, from), join(out, to), { recursive: true });
  for (const language of await readdir(join(here, '_locales'))) {
    await mkdir(join(out, '_locales', language), { recursive: true });
    await writeFile(join(out, '_locales', language, 'messages.json'), JSON.stringify(await withPhrases(language)));
  }
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE.txt'));
  if (CTX_NOTICES) await cp(CTX_NOTICES, join(out, 'THIRD_PARTY_NOTICES.txt'));
  await cp(join(root, 'wasm/js/ctx.wasm'), join(out, 'ctx.wasm'));
  await cp(join(root, 'internal/assets/o200k.ctxv'), join(out, 'packs/o200k.ctxv'));
  await cp(join(here, 'src/options/marked.tables'), join(out, 'packs/marked.tables'));
  await writeFile(join(out, 'manifest.json'), `${JSON.stringify(manifest(browser), null, 2)}\n`);

  if (testing) {
    for (const pack of await readdir(join(root, 'internal/assets')))
      if (pack.endsWith('.ctxv')) await cp(join(root, 'internal/assets', pack), join(out, 'packs', pack));
    const folder = join(root, 'testdata/conformance');
    const vectors = {};
    for (const name of (await readdir(folder)).filter((n) => n.endsWith('.json')))
      vectors[name.slice(0, -5)] = JSON.parse(await readFile(join(folder, name), 'utf8'));
    await writeFile(
      join(out, 'vectors.json'),
      JSON.stringify({ vectors, sums: await readFile(join(folder, 'answers.sum'), 'utf8') }),
    );
    continue;
  }

  const files = {};
  for (const entry of (await readdir(out, { recursive: true, withFileTypes: true })).filter((e) => e.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[relative(out, path).replaceAll('\\', '/')] = await readFile(path);
  }
  const sorted = Object.fromEntries(
    Object.keys(files)
      .sort()
      .map((name) => [name, files[name]]),
  );
  const zip = zipSync(sorted, { level: 9, mtime: new Date(1980, 0, 1) });
  await writeFile(join(to, `ctx-lsp-${browser}-${version}.zip`), zip);
  console.log(`dist/${browser}: zip ${Math.round(zip.length / 1024)} KB`);
}
