// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { news, pythonOf } from './install.mjs';

const day = 86_400_000;
const released = '2026-05-01T00:00:00.000Z';
const after = (days) => new Date(released).getTime() + days * day;

test('a version that is not the newest is reported', () => {
  assert.deepEqual(news({ version: '1.0.0', latest: '1.0.0', released }, after(10)), []);
  assert.deepEqual(news({ version: '1.0.0', latest: '1.1.0', released }, after(10)), [
    '1.1.0 is released; 1.0.0 was tested',
  ]);
});

test('a package that may have a new name is reported', () => {
  const [note] = news({ version: '1.0.0', latest: '1.0.0', released }, after(120));
  assert.match(note, /no release for 120 days: it may have a new name/);
  const deprecated = 'Please use @new/name instead.';
  assert.deepEqual(news({ version: '1.0.0', latest: '1.0.0', deprecated, released }, after(120)), [
    `the package is deprecated: ${deprecated}`,
  ]);
});

test('a Python that only pyenv has is found', () => {
  const pyenv = mkdtempSync(path.join(os.tmpdir(), 'pyenv-'));
  const bin = path.join(pyenv, 'versions/3.13.0/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'python3.13'), '#!/bin/sh\nexit 0\n');
  chmodSync(path.join(bin, 'python3.13'), 0o755);
  const found = pythonOf('3.13', { pyenv });
  assert.ok(found === 'python3.13' || found === path.join(bin, 'python3.13'), found);
  const shims = path.join(pyenv, 'shims');
  mkdirSync(shims);
  writeFileSync(path.join(shims, 'python3.13'), '#!/bin/sh\nexit 127\n');
  chmodSync(path.join(shims, 'python3.13'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${shims}:/usr/bin:/bin`;
  try {
    assert.equal(pythonOf('3.13', { pyenv }), path.join(bin, 'python3.13'));
  } finally {
    process.env.PATH = before;
  }
});
