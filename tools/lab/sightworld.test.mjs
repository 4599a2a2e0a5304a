// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import test from 'node:test';
import { judgeSight, sightRates } from './sightjudge.mjs';
import { textsOf, World } from './sightworld.mjs';

const result = (text) => ({ kind: 'result', text });
const shown = (world, name, from, to) =>
  result(
    world
      .content(name)
      .split('\n')
      .slice(from - 1, to)
      .join('\n'),
  );

test('the truth follows lines through reads, changes and losses', () => {
  const world = new World();
  const sent = new Set();
  const first = shown(world, 'three.go', 1, 60);
  world.apply('show:three.go');
  assert.deepEqual(new Set(world.states('three.go', [first], sent)), new Set(['verbatim']));
  world.apply('outside:three.go:11:12:3');
  world.apply('edit:three.go:21:22:2');
  const call = { kind: 'call', text: JSON.stringify(textsOf('edit:three.go:21:22:2').join('\n')) };
  const states = world.states('three.go', [first, call], sent);
  assert.equal(states[10], 'stale');
  assert.equal(states[20], 'own');
  const result = (lines) => ({ kind: 'result', text: lines.map((line, i) => `${i + 21}\t${line}`).join('\n') });
  const echoed = world.states('three.go', [first, call, result(textsOf('edit:three.go:21:22:2'))], sent);
  assert.equal(echoed[20], 'verbatim');
  assert.equal(states[9], 'verbatim');
  assert.equal(states.length, 61);
  assert.deepEqual(new Set(world.states('three.go', [], sent)), new Set(['gone', 'never']));
  assert.deepEqual(new Set(world.states('one.go', [first], sent)), new Set(['never']));
});

test('an inserted line is stale if both neighbors are in the request', () => {
  const world = new World();
  const some = shown(world, 'three.go', 1, 20);
  world.apply('show:three.go:1:20');
  world.apply('outside:three.go:11:10:1');
  world.apply('outside:three.go:41:40:1');
  const states = world.states('three.go', [some], new Set());
  assert.equal(states[10], 'stale');
  assert.equal(states[40], 'never');
});

/** A phase of two requests: the first reads a file, and at the second the answer is as given. */
function phase(state, content) {
  const world = new World();
  const lines = world.content('three.go').split('\n').length - 1;
  const answer = { content: content ?? world.content('three.go'), ranges: [{ from: 1, to: lines, state }] };
  const rows = [
    { number: 1, kind: 'main', at: 1, step: 'show:three.go' },
    { number: 2, kind: 'main', at: 2, said: { sight: { 'three.go': answer } } },
  ];
  return judgeSight({ requests: rows }, () => [shown(world, 'three.go', 1, lines)]);
}

test('wrong states and files that cannot be judged fail', () => {
  assert.deepEqual(phase('verbatim').failures, []);
  assert.equal(sightRates(phase('verbatim')).failures.length, 0);
  assert.match(phase('stale').failures[0], /three.go:1 is verbatim, and sees says stale/);
  assert.match(sightRates(phase('stale')).failures.join(), /precision of stale lines is 0.00%/);
  assert.match(sightRates(phase('unknown')).failures.join(), /100.00% of the lines are unknown/);
  assert.match(phase('verbatim', 'another').failures[0], /cannot be judged/);
});
