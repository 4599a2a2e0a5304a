// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { must } from '../driver/workbench';

test('the package of a platform is at most 15 MB, the universal one at most 3 MB', (t) => {
  const [platform, universal] = [must('CTX_TEST_VSIX'), must('CTX_TEST_UNIVERSAL_VSIX')].map(
    (f) => fs.statSync(f).size / 1e6,
  ) as [number, number];
  t.diagnostic(`${platform.toFixed(2)} MB and ${universal.toFixed(2)} MB`);
  assert.ok(platform <= 15, `${platform} MB`);
  assert.ok(universal <= 3, `${universal} MB`);
});
