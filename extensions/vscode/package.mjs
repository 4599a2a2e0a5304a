// Copyright The ctx-lsp authors. MIT licence.

// Packs the extension: `node package.mjs [--target linux-x64] [--daemon PATH] [--out FILE] [--version 0.2.0]`. With a
// target the daemon goes in and the WebAssembly core stays in beside it; without one the package is the universal one,
// and that of the target `web` is the same, for editors in a browser. A release names its version, and the file of
// notices of third parties that goes in (--notices FILE).
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    daemon: { type: 'string' },
    out: { type: 'string' },
    version: { type: 'string' },
    notices: { type: 'string' },
  },
});

if (Boolean(values.target && values.target !== 'web') !== Boolean(values.daemon)) {
  console.error(
    'package: --target and --daemon go together: a platform-specific package holds the daemon of that platform',
  );
  process.exit(2);
}

rmSync('server', { recursive: true, force: true });
if (values.daemon) {
  const program = values.target.startsWith('win32') ? 'server/ctx-lsp.exe' : 'server/ctx-lsp';
  mkdirSync('server');
  copyFileSync(values.daemon, program);
  chmodSync(program, 0o755);
}
rmSync('dist', { recursive: true, force: true });
run(process.execPath, ['build.mjs', '--production']);
if (values.daemon) {
  // A package for one platform runs next to its daemon, on the desktop or on a server, never in a browser's worker.
  const [manifest, web] = [readFileSync('package.json', 'utf8'), readFileSync('dist/web.js')];
  process.on('exit', () => {
    writeFileSync('package.json', manifest);
    writeFileSync('dist/web.js', web);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => process.exit(1)); // so that both files are restored
  }
  writeFileSync('package.json', manifest.replace('  "browser": "./dist/web.js",\n', ''));
  rmSync('dist/web.js');
}
const out = values.out ?? `ctx-lsp-${values.target ?? 'universal'}.vsix`;
const notices = 'THIRD_PARTY_NOTICES.txt';
if (values.notices) {
  copyFileSync(values.notices, notices);
}
run('node_modules/.bin/vsce', [
  'package',
  ...(values.version ? [values.version, '--no-git-tag-version', '--no-update-package-json'] : []),
  '--no-dependencies',
  ...(values.target ? ['--target', values.target] : []),
  '--out',
  out,
]);
rmSync('server', { recursive: true, force: true });
rmSync(notices, { force: true });
const megabytes = statSync(out).size / 1e6;
console.log(`${out}: ${megabytes.toFixed(2)} MB`);
// An alarm: a package that grows beyond it for a good reason gets a new limit. TinyGo's module, which is released,
// imports nothing. Go's, with which a clone without TinyGo packs, is 1.4 MB larger and may grow by half a megabyte
// more.
const module = new WebAssembly.Module(readFileSync('dist/core/ctx.wasm'));
const limit = WebAssembly.Module.imports(module).length === 0 ? 13.8 : 15.5;
if (megabytes > limit) {
  console.error(`package: ${out} is larger than ${limit} MB: see what it grew by, or move the limit and say why`);
  process.exit(1);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
