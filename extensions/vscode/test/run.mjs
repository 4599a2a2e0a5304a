// Copyright The ctx-lsp authors. MIT licence.

// Runs every test of the extension: `node test/run.mjs [NAME…]` runs the files whose names contain one of the names.
// Installs what it needs, builds the daemon, packs the extension, and ends with the slowest cases, the unsteady ones,
// and “N passed, M failed”. Lanes take files from one list, one lane more than there are processors, because editors
// often wait; each lane has its own browser, and each file its own editor. Installs and builds run at the same time,
// and a file starts as soon as its editor is there.
//
//   CTX_TEST_LANES=N        the number of lanes
//   CTX_TEST_AS_BUILT=1     uses the daemon and the packages of the last run
//   CTX_TEST_DAEMON=FILE    uses that daemon instead of building one
//   CTX_TEST_EDITOR=newest  leaves out the older editors
//   CTX_TEST_ONLY=PATTERN   runs the cases whose names match; a case may need those before it in its file
//   CTX_TEST_VERBOSE=1      shows what the tests print
//   CTX_TEST_DAYS_AHEAD=N   dates sessions N days ahead, for a daemon with such a clock; see tools/shiftclock
//   CI=true                 a case that fails, and passes when it is repeated, is a failure
//
// “pictures” and “figures” are taken only when they are named.
//
// To add a case, add a `test(…)` of driver/cases.ts to a file in workbench/, or a file with its own editor. A case
// waits for what a user would see (`editor.statusText`, `editor.until`, a locator's `waitFor`), never for a time; if
// nothing may happen, it first waits for something that comes later. A file that depends on the editor's version is
// listed in `inNewest`.
import { fork, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { codeServerEntry, install, newestEntry, newestProgram, testWebEntry, webCommit, webData } from './install.mjs';

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
const inEditors = files.filter((f) => !f.includes('/unit/'));

// What depends on the editor's own version runs in the newest too: item, view, panel, drop, tools and API.
const onlyInNewest = [path.join(here, 'workbench/agentHost.test.ts')]; // older editors have no Agents window
const inNewest = ['agentHost', 'api', 'fits', 'session', 'view'].map((name) =>
  path.join(here, 'workbench', `${name}.test.ts`),
);

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

const platform = `${process.platform}-${process.arch}`;
const daemon = process.env.CTX_TEST_DAEMON ?? path.join(extension, 'out', 'ctx-lsp');
const packages = {
  CTX_TEST_VSIX: path.join(extension, `out/ctx-lsp-${platform}.vsix`),
  CTX_TEST_UNIVERSAL_VSIX: path.join(extension, 'out/ctx-lsp-universal.vsix'),
  CTX_TEST_EXAMPLE_VSIX: path.join(extension, 'out/example.vsix'),
};
const editorEnv = {
  ...packages,
  CTX_TEST_EXAMPLE: path.join(here, 'example'),
  CTX_TEST_MADE: path.join(out, 'made'),
  CTX_TEST_DAEMON: daemon,
  CTX_TEST_STANDIN: path.join(here, 'standin/ctx-lsp.mjs'),
  CTX_TEST_EXTENSION: extension,
  CTX_TEST_SCREENSHOTS: process.env.CTX_TEST_SCREENSHOTS ?? path.join(extension, 'out/screenshots'),
};
const oldestEnv = {
  ...editorEnv,
  CTX_TEST_CODE_SERVER: codeServerEntry,
  CTX_TEST_WEB: testWebEntry,
  CTX_TEST_WEB_DATA: webData,
  CTX_TEST_WEB_COMMIT: webCommit,
};
const newestEnv = { ...editorEnv, CTX_TEST_CODE_SERVER: newestEntry, CTX_TEST_NODE: newestProgram };

const began = Date.now();
const results = new Map();
const unsteady = [];
const tasks = [];
if (files.length > inEditors.length) {
  const unit = files.filter((f) => !inEditors.includes(f));
  tasks.push({ name: 'unit', files: unit, env: {}, where: '', needs: [Promise.resolve()] });
}
if (inEditors.length > 0) {
  const oldest = process.env.CTX_TEST_EDITOR === 'newest' ? [] : inEditors.filter((f) => !onlyInNewest.includes(f));
  const newest = inEditors.filter((f) => inNewest.includes(f));
  const web = oldest.filter((f) => /\b(web|promptFiles)\.test/.test(f));
  const installs = install([
    'chromium',
    ...(oldest.length > 0 ? ['codeServer'] : []),
    ...(newest.length > 0 ? ['newest'] : []),
    ...(web.length > 0 ? ['web'] : []),
  ]);
  const built = buildAll();
  const common = [installs.chromium, built];
  // A longer file takes longer, and starts first, so that the lanes end together.
  const size = (f) => statSync(f).size;
  for (const f of oldest.sort((a, b) => size(b) - size(a))) {
    const needs = [...common, installs.codeServer, ...(web.includes(f) ? [installs.web] : [])];
    tasks.push({
      name: path.relative(here, f),
      files: [f],
      env: oldestEnv,
      where: '',
      needs,
      browsing: installs.chromium,
    });
  }
  for (const f of newest.sort((a, b) => size(b) - size(a))) {
    const needs = [...common, installs.newest];
    const name = `${path.relative(here, f)} [newest]`;
    tasks.push({ name, files: [f], env: newestEnv, where: ' [newest]', needs, browsing: installs.chromium });
  }
}
for (const task of tasks) {
  task.ready = Promise.all(task.needs).then(() => {
    task.isReady = true;
  });
}
await Promise.all(Array.from({ length: Number(process.env.CTX_TEST_LANES ?? cpus().length + 1) }, lane));
finish();

/** Runs the tasks that are ready, one after the other, until none is left. */
async function lane() {
  const worker = fork(path.join(here, 'lane.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  while (tasks.length > 0) {
    await Promise.race(tasks.map((task) => task.ready));
    const at = tasks.findIndex((task) => task.isReady);
    if (at >= 0) {
      const [task] = tasks.splice(at, 1);
      await runTask(worker, task);
    }
  }
  worker.kill();
}

/** Runs the files of a task. If a case in an editor fails, the file is run once more, in a fresh editor. */
async function runTask(worker, task) {
  const started = Date.now();
  const seen = await runOnce(worker, task, !task.browsing);
  if (task.browsing && [...seen.values()].includes('failed')) {
    await runOnce(worker, task, true, seen);
  }
  console.log(`     ${task.name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs the files of a task, and returns the result of each case by its name; `before` has those of an earlier run. */
async function runOnce(worker, { files, env, where, browsing }, last, before = new Map()) {
  const seen = new Map();
  const executable = browsing && (await browsing);
  await new Promise((resolve, reject) => {
    const gone = (code) => reject(new Error(`a lane of the tests has ended with ${code}`));
    worker.once('exit', gone);
    const receive = (message) => {
      if (message.ended) {
        worker.off('message', receive);
        worker.off('exit', gone);
        resolve();
      } else {
        take(message);
      }
    };
    worker.on('message', receive);
    worker.send({
      files: files.map((f) => path.join(out, path.relative(here, f).replace(/\.ts$/, '.js'))),
      env: { ...env, ...(last ? { CTX_TEST_LAST_RUN: '1' } : {}) },
      browsing: executable,
      concurrency: browsing ? 1 : 2,
    });
  });
  return seen;

  function take({ name, passed, skip, failed, ms, note, out }) {
    if (note !== undefined) {
      if (/milliseconds|MB|load|settled/.test(note)) {
        console.log(`     ${note}`);
      }
      return;
    }
    if (out !== undefined) {
      process.stderr.write(out);
      return;
    }
    const title = `${name}${where}`;
    if (failed !== undefined) {
      seen.set(name, 'failed');
      console.log(`${last ? 'FAIL' : 'again'} ${title} (${Math.round(ms)} ms)\n${indent(failed)}`);
      if (last) {
        results.set(title, { failed: true, ms });
      }
      return;
    }
    if (!passed) {
      if (last || !/a case before it failed/.test(skip)) {
        console.log(`skip ${title}: ${skip}`);
      }
      return;
    }
    seen.set(name, 'passed');
    if (before.get(name) === 'passed') {
      return; // a step to the case that is repeated
    }
    if (before.get(name) === 'failed') {
      unsteady.push(title);
    }
    results.set(title, { ms });
    console.log(`ok   ${title} (${Math.round(ms)} ms)`);
  }
}

/** Prints the slowest cases, the unsteady ones and the count, and ends. */
function finish() {
  const all = [...results];
  for (const [title, { ms }] of all.sort(([, a], [, b]) => b.ms - a.ms).slice(0, 10)) {
    console.log(`slow: ${(ms / 1000).toFixed(1)} test-vscode: ${title}`);
  }
  for (const title of unsteady) {
    console.log(`unsteady: ${title}`);
  }
  // Nobody looks at an unsteady case of a run without a user, so it fails there.
  const repeated = ['1', 'true'].includes(process.env.CI) ? unsteady.length : 0;
  if (repeated > 0) {
    console.log(`FAIL ${repeated} unsteady, which is a failure because CI is set`);
  }
  const failed = all.filter(([, result]) => result.failed).length + repeated;
  console.log(`${all.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 && all.length > 0 ? 0 : 1);
}

/** Builds the daemon and the packages, unless those of the last run are wanted. */
async function buildAll() {
  if (!process.env.CTX_TEST_AS_BUILT) {
    await Promise.all([
      (async () => {
        await packExample();
        await run(process.execPath, ['package.mjs', '--out', packages.CTX_TEST_UNIVERSAL_VSIX], extension);
      })(),
      process.env.CTX_TEST_DAEMON === undefined &&
        run('make', ['--silent', 'vscode-daemon', `VSCODE_DAEMON=${daemon}`], path.resolve(extension, '../..')),
    ]);
    const args = ['package.mjs', '--target', platform, '--daemon', daemon, '--out', packages.CTX_TEST_VSIX];
    await run(process.execPath, args, extension);
  }
  console.log(`     built after ${Math.round((Date.now() - began) / 1000)} s`);
}

function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        said = (said + part).slice(-4000);
      });
    }
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} failed: ${said}`)),
    );
  });
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
  await run(
    path.join(extension, 'node_modules/.bin/vsce'),
    [
      'package',
      '--no-dependencies',
      '--skip-license',
      '--allow-missing-repository',
      '--out',
      packages.CTX_TEST_EXAMPLE_VSIX,
    ],
    folder,
  );
}

function indent(text) {
  return text.replace(/^/gm, '     ');
}
