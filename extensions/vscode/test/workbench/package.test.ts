// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { test } from '../driver/cases';
import { installInto } from '../driver/installed';
import { must } from '../driver/workbench';

// The limits are those of released packages, whose module is TinyGo's and at most 0.9 MB. A module by Go is larger and
// has a limit of its own in wasm/size.sh, so either module is replaced by one of 0.9 MB.
test('with a module of 0.9 MB the package of a platform is at most 13.8 MB, the universal one at most 3 MB', (t) => {
  const module = fs.readFileSync(path.join(must('CTX_TEST_EXTENSION'), 'dist/core/ctx.wasm'));
  const packed = deflateRawSync(module).length / 1e6;
  const [platform, universal] = [must('CTX_TEST_VSIX'), must('CTX_TEST_UNIVERSAL_VSIX')].map(
    (f) => fs.statSync(f).size / 1e6 - packed + 0.9,
  ) as [number, number];
  t.diagnostic(`${platform.toFixed(2)} MB and ${universal.toFixed(2)} MB; the module takes ${packed.toFixed(2)} MB`);
  assert.ok(platform <= 13.8, `${platform} MB`);
  assert.ok(universal <= 3, `${universal} MB`);
});

// The module and the vocabularies lie in a package once, for the extension's own engine and for the daemon. The daemon
// must find them there, and must say so where they are missing instead of counting without them.
test('the installed daemon passes every vector with both engines, with the files next to it', async (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-package-'));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  const extensions = path.join(dir, 'extensions');
  await installInto(extensions, path.join(dir, 'data'), [must('CTX_TEST_VSIX')], {
    ...process.env,
    EXTENSIONS_GALLERY: '{}',
  });
  const folder = fs.readdirSync(extensions).find((name) => name.startsWith('ctx-lsp.'));
  assert.ok(folder, 'the extension was not installed');
  const program = path.join(extensions, folder, 'server', process.platform === 'win32' ? 'ctx-lsp.exe' : 'ctx-lsp');
  for (const engine of ['native', 'wasm']) {
    const vectors = path.resolve('../../testdata/conformance');
    const said = execFileSync(program, ['conformance', '--engine', engine, vectors], { encoding: 'utf8', cwd: dir });
    assert.match(said, /^\d{3,} passed, 0 failed\s*$/m, engine);
  }
  const alone = path.join(dir, 'alone', path.basename(program));
  fs.mkdirSync(path.dirname(alone));
  fs.copyFileSync(program, alone);
  fs.writeFileSync(path.join(dir, 'prompt.md'), 'a few words\n');
  const counted = spawnSync(alone, ['count', path.join(dir, 'prompt.md')], { encoding: 'utf8' });
  assert.notEqual(counted.status, 0, `a daemon without its vocabularies counted: ${counted.stdout}`);
  assert.match(counted.stderr, /vocabularies that are next to it/);
});
