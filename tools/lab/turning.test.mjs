// Copyright The ctx-lsp authors. MIT licence.

// Checks that each wrong picture at a turning point fails, and that a right or a marked one passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from './asking.mjs';
import { points } from './table.mjs';
import { judgeRates, judgeTurning } from './turning.mjs';

const said = (used, more, mark = more?.mark || (more?.cause ? '~' : '')) => ({
  session: 'one',
  used,
  low: used - 20,
  high: used + 20,
  mark: '',
  cause: '',
  measured: true,
  threshold: 90_000,
  limit: 100_000,
  level: 'ok',
  compactions: 0,
  views: {
    shell: { mark, used, half: 50, level: 'ok', session: 'one' },
    statusline: { mark, used, half: 50, level: 'ok', session: 'one' },
    history: { used, compactions: 0 },
    daemon: { session: 'one', used, mark, cause: '' },
    top: Math.round(used / 1000),
  },
  ...more,
});
const main = (number, input, more) => ({
  number,
  kind: 'main',
  at: number,
  step: `step ${number}`,
  script: 'a',
  input,
  output: 50,
  said: said(input, more),
});
const right = () => ({
  phase: 'memory',
  small: 100_000,
  requests: [main(1, 40_000), main(2, 44_000), main(3, 47_000)],
});

test('a right phase passes', () => {
  const { failures, numbers } = judgeTurning(right());
  assert.deepEqual(failures, []);
  assert.deepEqual([numbers.compared, numbers.wrong, numbers.worst, numbers.steady], [3, 0, 0, 2]);
});

test('a number with a mark, and one that is off by little, pass', () => {
  const phase = right();
  phase.requests[1].said = said(41_000, { cause: 'memory was changed', low: 40_000, high: 45_000 });
  phase.requests[1].said.views.history.used = 40_000;
  phase.requests[2].said = said(46_200);
  assert.deepEqual(judgeTurning(phase).failures, []);
});

test('the front ends may differ from the request as far as status does, if they have the mark, too', () => {
  const phase = right();
  phase.requests[2].said = said(40_000, { mark: '~', low: 38_000, high: 48_000 });
  assert.deepEqual(judgeTurning(phase).failures, []);
});

const faults = {
  'statusline --for=shell shows 44000 for 47000, unmarked': (phase) => {
    phase.requests[2].said = said(44_000, { mark: '~', low: 43_000, high: 48_000 });
    phase.requests[2].said.views.shell.mark = '';
  },
  'history ends at 12000, and no request had that size': (phase) => {
    phase.requests[2].said.views.history.used = 12_000;
  },
  'the advice compact frees 60000 of 47000': (phase) => {
    phase.requests[2].said.advice = [{ action: 'compact', tokens: 60_000 }];
  },
  'compacting is advised at 40000 of 90000': (phase) => {
    phase.requests[0].said.advice = [{ action: 'compact', tokens: 20_000 }];
  },
  'status shows 44000 [43980 to 44020] for 47000, unmarked': (phase) => {
    phase.requests[2].said = said(44_000);
  },
  '(memory was changed): status shows 44000': (phase) => {
    phase.requests[2].said = said(44_000);
    phase.requests[2].turn = 'memory was changed';
  },
  'the marked range 30000 to 60000 is wider than a quarter of 47000: a model': (phase) => {
    phase.requests[2].said = said(47_000, { cause: 'a model', low: 30_000, high: 60_000 });
  },
  'statusline --for=shell prints nothing': (phase) => {
    phase.requests[1].said.views.shell = null;
  },
  'statusline --for=shell shows 13100 for 44000, unmarked': (phase) => {
    phase.requests[1].said.views.shell.used = 13_100;
  },
  'statusline shows 45900 for 44000, unmarked': (phase) => {
    phase.requests[1].said.views.statusline.used = 45_900;
  },
  'daemon shows 40000 for 44000, unmarked': (phase) => {
    phase.requests[1].said.views.daemon.used = 40_000;
  },
  'statusline --for=shell shows the session two, and status one': (phase) => {
    phase.requests[1].said.views.shell.session = 'two';
  },
  'top --plain shows 20%, and status 44%': (phase) => {
    phase.requests[1].said.views.top = 20;
  },
  'history shows 1 compactions, and status 0': (phase) => {
    phase.requests[1].said.views.history.compactions = 1;
  },
  '1 compactions are shown, and 0 happened': (phase) => {
    phase.requests[1].said.compactions = 1;
  },
  'the number of another session, 80000 for 30000': (phase) => {
    phase.streams = { one: 'a', two: 'b' };
    Object.assign(phase.requests[2], {
      stream: 'b',
      last: { a: 30_000, b: 80_000 },
      input: 80_000,
      said: said(80_000),
    });
  },
  'the level is over, at 47000 of 90000': (phase) => {
    phase.requests[2].said.level = 'over';
  },
  'the level is ok, at 47000 of 40000': (phase) => {
    phase.requests[2].said.threshold = 40_000;
  },
  'request 4: the agent compacts, and the level was ok, then ok': (phase) => {
    phase.requests.push({ number: 4, kind: 'compaction', input: 48_000, said: said(48_000) });
  },
};
for (const [failure, damage] of Object.entries(faults)) {
  test(`fails: ${failure}`, () => {
    const phase = right();
    damage(phase);
    const { failures } = judgeTurning(phase);
    assert.ok(
      failures.some((each) => each.includes(failure)),
      failures.join('\n'),
    );
  });
}

test('a compaction at now, and one by hand, are announced', () => {
  const phase = right();
  phase.requests[2].said.level = 'now';
  phase.requests.push({ number: 4, kind: 'compaction', input: 48_000, said: said(48_000) });
  assert.deepEqual(judgeTurning(phase).failures, []);
});

test('first numbers, and marks of steady steps, are judged as rates', () => {
  const phase = right();
  phase.requests[0].said = said(9000, { measured: false, mark: '~', low: 8000, high: 30_000 });
  for (const each of phase.requests.slice(1)) each.said.cause = 'counted in two ways';
  const { failures, numbers } = judgeTurning(phase);
  assert.deepEqual(failures, []);
  assert.deepEqual([numbers.firsts, numbers.covered, numbers.steady, numbers.needless], [1, 0, 1, 1]);
  assert.deepEqual(judgeRates([numbers, numbers]).failures, ['2 of 2 steady steps carry a mark that was not needed']);
  const many = Array.from({ length: 10 }, () => numbers);
  assert.ok(judgeRates(many).failures.includes('the first range covers 0 of 10 requests'));
  const turned = [{ phase: 'memory', numbers }];
  const text = points([{ name: 'An agent', version: '1.2', turned, rates: judgeRates([numbers]) }]);
  assert.match(text, /\| An agent 1\.2 \| 0\/3, 0 +\| 1\/1 +\| 0\/1 +\| 0\.\d+ +\|/);
});

test('a status line of the lab is read', () => {
  assert.deepEqual(fieldsOf('~|84.1k|ok|id\n'), { mark: '~', used: 84_100, half: 50, level: 'ok', session: 'id' });
  assert.deepEqual(fieldsOf('|950|ok|id'), { mark: '', used: 950, half: 0, level: 'ok', session: 'id' });
  assert.deepEqual(fieldsOf('|950|ok|id (11s old)').mark, 'old');
  assert.equal(fieldsOf('\n'), undefined);
});
