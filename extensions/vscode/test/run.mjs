// Copyright The ctx-lsp authors. MIT licence.

// Runs every test of the extension: `node test/run.mjs [NAME…]` runs the files whose names contain one of the names.
// Installs what it needs, builds the daemon and packs the extension, and ends with “N passed, M failed”.
// CTX_TEST_AS_BUILT=1 takes what the last run built; CTX_TEST_DAEMON=FILE takes that daemon instead of building one;
// CTX_TEST_EDITOR=newest leaves out the older editors; CTX_TEST_ONLY=PATTERN runs the tests whose names fit;
// CTX_TEST_VERBOSE=1 shows what the tests print. “pictures” and “figures” are taken only when they are named.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { run as runTests } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import playwright from 'playwright-core';
import {
  codeServerEntry,
  install,
  installNewest,
  newestEntry,
  newestProgram,
  testWebEntry,
  webCommit,
  webData,
} from './install.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const extension = path.dirname(here);
process.chdir(extension);
const names = process.argv.slice(2);

const asked = ['pictures', 'figures'].filter((folder) => names.includes(folder));
const files = (asked.length > 0 ? asked : ['unit', 'workbench', 'web'])
  .flatMap((dir) =>
    existsSync(path.join(here, dir))
      ? readdirSync(path.join(here, dir))
          .filter((f) => f.endsWith('.test.ts'))
          .map((f) => path.join(here, dir, f))
      : [],
  )
  .filter((f) => names.length === 0 || names.some((n) => path.relative(here, f).includes(n)));

const out = path.join(extension, 'out/test', String(process.pid));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
mkdirSync(out, { recursive: true });
await build({
  entryPoints: files,
  outbase: here,
  outdir: out,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['playwright-core'],
  alias: { vscode: path.join(here, 'unit/vscode.ts') },
  sourcemap: 'inline',
  logLevel: 'warning',
});

if (files.some((f) => !f.includes('/unit/'))) {
  const { chromium } = install();
  const root = path.resolve(extension, '../..');
  const daemon = process.env.CTX_TEST_DAEMON ?? path.join(extension, 'out', 'ctx-lsp');
  const platform = `${process.platform}-${process.arch}`;
  const vsix = path.join(extension, `out/ctx-lsp-${platform}.vsix`);
  const universal = path.join(extension, 'out/ctx-lsp-universal.vsix');
  if (!process.env.CTX_TEST_AS_BUILT) {
    if (process.env.CTX_TEST_DAEMON === undefined) {
      run('make', ['--silent', 'vscode-daemon', `VSCODE_DAEMON=${daemon}`], root);
    }
    run(process.execPath, ['package.mjs', '--out', universal], extension);
    run(process.execPath, ['package.mjs', '--target', platform, '--daemon', daemon, '--out', vsix], extension);
  }
  const example = await packExample();
  Object.assign(process.env, {
    CTX_TEST_EXAMPLE: path.join(here, 'example'),
    CTX_TEST_EXAMPLE_VSIX: example,
    CTX_TEST_CODE_SERVER: codeServerEntry,
    CTX_TEST_WEB: testWebEntry,
    CTX_TEST_WEB_DATA: webData,
    CTX_TEST_WEB_COMMIT: webCommit,
    CTX_TEST_BROWSER: await startBrowser(chromium),
    CTX_TEST_PORT: String(await freePort()),
    CTX_TEST_WEB_PORT: String(await freePort()),
    CTX_TEST_MADE: path.join(out, 'made'),
    CTX_TEST_VSIX: vsix,
    CTX_TEST_UNIVERSAL_VSIX: universal,
    CTX_TEST_DAEMON: daemon,
    CTX_TEST_STANDIN: path.join(here, 'standin/ctx-lsp.mjs'),
    CTX_TEST_EXTENSION: extension,
    CTX_TEST_SCREENSHOTS: process.env.CTX_TEST_SCREENSHOTS ?? path.join(extension, 'out/screenshots'),
  });
}

// What depends on the editor's own version runs in the newest too: item, view, panel, drop, tools and API.
const inNewest = ['api', 'fits', 'session', 'view'].map((name) => path.join(here, 'workbench', `${name}.test.ts`));

let passed = 0;
let failed = 0;
if (process.env.CTX_TEST_EDITOR !== 'newest') {
  await runIn('', files);
}
const again = files.filter((f) => inNewest.includes(f));
if (again.length > 0) {
  installNewest();
  Object.assign(process.env, { CTX_TEST_CODE_SERVER: newestEntry, CTX_TEST_NODE: newestProgram });
  await runIn(' [newest]', again);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Starts the browser in which all tests open their pages; answers where it is met. It ends with this program. */
async function startBrowser(executablePath) {
  const port = await freePort();
  const server = await playwright.chromium.launchServer({
    executablePath,
    headless: true,
    args: [
      `--remote-debugging-port=${port}`,
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    ],
  });
  process.on('exit', () => server.process().kill('SIGKILL'));
  return `http://127.0.0.1:${port}`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Runs files of tests; `where` stands behind their names. */
async function runIn(where, list) {
  const stream = runTests({
    files: list.map((f) => path.join(out, path.relative(here, f).replace(/\.ts$/, '.js'))),
    concurrency: 1,
    // The limit is for a whole file and only ends what hangs: on a busy machine a file with an editor takes minutes.
    timeout: 1_800_000,
    ...(process.env.CTX_TEST_ONLY ? { testNamePatterns: [process.env.CTX_TEST_ONLY] } : {}),
  });
  stream.on('test:pass', (t) => {
    if (t.details.type !== 'suite' && !t.name.endsWith('.js')) {
      passed += t.skip === undefined ? 1 : 0;
      console.log(
        `${t.skip === undefined ? 'ok  ' : 'skip'} ${t.name}${where} (${Math.round(t.details.duration_ms)} ms)${t.skip ? `: ${t.skip}` : ''}`,
      );
    }
  });
  stream.on('test:fail', (t) => {
    if (t.details.type !== 'suite') {
      failed += 1;
      const error = t.details.error;
      console.log(`FAIL ${t.name}${where}\n${indent(String(error?.cause?.stack ?? error?.cause ?? error?.message))}`);
    }
  });
  stream.on(
    'test:diagnostic',
    (t) => t.nesting === 0 && /milliseconds|MB|load|settled/.test(t.message) && console.log(`     ${t.message}`),
  );
  stream.on('test:stdout', (t) => process.env.CTX_TEST_VERBOSE && process.stdout.write(t.message));
  stream.on('test:stderr', (t) => process.stderr.write(t.message));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.resume();
  await ended;
}

function run(command, args, cwd, env = {}) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stdout}`);
  }
}

/** The extension that uses the API, for both kinds of extension hosts. */
async function packExample() {
  const folder = path.join(here, 'example');
  for (const [name, platform] of [
    ['node', 'node'],
    ['web', 'browser'],
  ]) {
    await build({
      entryPoints: { [name]: path.join(folder, 'src/extension.ts') },
      outdir: path.join(folder, 'dist'),
      bundle: true,
      platform,
      format: 'cjs',
      target: 'es2022',
      external: ['vscode'],
      logLevel: 'warning',
    });
  }
  const vsix = path.join(extension, 'out/example.vsix');
  run(
    path.join(extension, 'node_modules/.bin/vsce'),
    ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', vsix],
    folder,
  );
  return vsix;
}

function indent(text) {
  return text.replace(/^/gm, '     ');
}
