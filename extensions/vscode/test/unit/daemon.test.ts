// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { candidates, debugVariable } from '../../src/daemon/locate';
import { judge, probe } from '../../src/daemon/probe';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-locate-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));

function program(file: string, body: string): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}
const good = `echo '{"schema":"ctx.version/1","version":"1.2.3","reading":"ctx.reading/3"}'`;
const bundled = program(path.join(dir, 'extension/server/ctx-lsp'), good);
const onPath = program(path.join(dir, 'bin/ctx-lsp'), good);
const env = { PATH: `relative:${path.dirname(onPath)}` };

test('the debug variable wins over the setting, the setting over the extension, the extension over the PATH', () => {
  const extension = path.join(dir, 'extension');
  const files = (setting: string | undefined, e: NodeJS.ProcessEnv) =>
    candidates(setting, extension, e).map((c) => c.file);
  assert.deepEqual(files('/set', { ...env, [debugVariable]: '/debug' }), ['/debug']);
  assert.deepEqual(files('/set', env), ['/set']);
  assert.deepEqual(files(undefined, env), [bundled, onPath]);
  assert.deepEqual(
    candidates(undefined, '/none', env).map((c) => c.from),
    ['PATH'],
  );
});

test('the Go bin directory is the last resort', () => {
  const installed = program(path.join(dir, 'go/bin/ctx-lsp'), good);
  const go = { GOPATH: `relative:${path.join(dir, 'go')}` };
  assert.deepEqual(candidates(undefined, '/none', { PATH: '', ...go }), [
    { file: installed, from: 'Go bin directory' },
  ]);
  const goBin = path.dirname(onPath);
  assert.deepEqual(
    candidates(undefined, '/none', { PATH: '', ...go, GOBIN: goBin }).map((c) => c.file),
    [onPath],
  );
  assert.deepEqual(
    candidates(undefined, '/none', { ...env, ...go }).map((c) => c.from),
    ['PATH'],
  );
});

test('a relative entry of the PATH never chooses a program', () => {
  fs.mkdirSync(path.join(dir, 'relative'), { recursive: true });
  program(path.join(dir, 'relative/ctx-lsp'), good);
  const before = process.cwd();
  process.chdir(dir);
  try {
    assert.deepEqual(candidates(undefined, '/none', { PATH: 'relative:', GOPATH: 'relative' }), []);
  } finally {
    process.chdir(before);
  }
});

const asked = (file: string, ms?: number) => probe({ file, from: 'setting' }, process.env, ms);

test('a program that answers is taken, with its version', async () => {
  assert.deepEqual(await asked(onPath), { ok: true, version: '1.2.3' });
});

test('each way of not answering has its own two words and a sentence that names the file', async () => {
  const cases: [string, string, number?][] = [
    ['noDaemon', path.join(dir, 'missing')],
    ['wrongVersion', program(path.join(dir, 'other'), 'echo hello')],
    ['wrongVersion', program(path.join(dir, 'old'), `echo '{"schema":"ctx.version/1","reading":"ctx.reading/0"}'`)],
    ['wrongVersion', program(path.join(dir, 'broken'), 'echo no such command >&2; exit 2')],
    ['silent', program(path.join(dir, 'silent'), 'exec sleep 20'), 200],
  ];
  for (const [kind, file, ms] of cases) {
    const answer = await asked(file, ms);
    assert.ok(!answer.ok, file);
    assert.equal(answer.trouble.kind, kind, file);
    assert.ok(answer.trouble.sentence.startsWith(`${file} (from the setting)`), answer.trouble.sentence);
  }
  fs.chmodSync(path.join(dir, 'other'), 0o644);
  const answer = await asked(path.join(dir, 'other'));
  assert.ok(!answer.ok && answer.trouble.kind === 'noDaemon');
});

test('another schema of the Reading is refused, not guessed', () => {
  for (const reading of ['ctx.reading/1', 'ctx.reading/2', 'ctx.reading/4']) {
    const answer = judge({ file: '/x', from: 'PATH' }, JSON.stringify({ schema: 'ctx.version/1', reading }));
    assert.ok(!answer.ok && answer.trouble.sentence.includes(reading));
  }
});
