// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartPolicy } from '../../src/restarts';

test('a crash loop ends after four tries, each later than the one before', () => {
  const policy = new RestartPolicy();
  const delays: (number | undefined)[] = [];
  for (let now = 1000; delays.length < 6; now += 100) {
    policy.started(now);
    delays.push(policy.ended(now + 50));
  }
  assert.deepEqual(delays, [200, 1000, 3000, 10_000, undefined, undefined]);
});

test('a daemon that ran for minutes has proved itself', () => {
  const policy = new RestartPolicy();
  policy.started(1000);
  policy.ended(1100);
  policy.ended(1200);
  policy.started(2000);
  assert.equal(policy.ended(2000 + 180_000), 200);
});

test('a restart requested by the user is done', () => {
  const policy = new RestartPolicy();
  for (let i = 0; i < 10; i++) {
    policy.ended(1000);
  }
  assert.equal(policy.ended(1000), undefined);
  policy.reset();
  assert.equal(policy.ended(1000), 200);
});
