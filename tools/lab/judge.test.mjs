// Copyright The ctx-lsp authors. MIT licence.

// Checks that each condition of the lab fails when it should, and that a right run passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './judge.mjs';
import { table } from './table.mjs';

const said = (used, more) => ({
  used,
  low: used - 20,
  high: used + 20,
  measured: true,
  threshold: 50_000,
  warnings: [],
  rows: [
    { kind: 'system', label: 'System prompt', tokens: 2000 },
    { kind: 'tools', label: 'Tools', tokens: 3000 },
    { kind: 'memory', label: 'AGENTS.md', tokens: 1500 },
  ],
  ...more,
});
const main = (number, input, more) => ({
  number,
  kind: 'main',
  step: 'ls',
  input,
  output: 50,
  rows: { system: 2050, tools: 3100, mcpTools: 0, memory: 1400 },
  around: { memory: 120 },
  said: said(input, more),
});

/** A run without a fault, which tests change. */
const right = () => ({
  phases: [
    {
      phase: 'threshold',
      small: 60_000,
      compacts: 'before',
      folder: '/work',
      requests: [
        main(1, 47_000),
        main(2, 49_000),
        { number: 3, kind: 'compaction', input: 50_500, output: 300, said: said(51_000) },
        { ...main(4, 8_000), step: undefined },
      ],
      replay: { kinds: [{ kind: 'tool', steps: 3, p95Percent: 0.4 }] },
      replayErrors: '',
      doctor: {},
      sessions: [{ workspace: '/work' }],
      calls: [{ code: 0, what: 'hook' }],
    },
  ],
});

test('a process that was resumed compares no earlier size', () => {
  const run = right();
  const [phase] = run.phases;
  phase.compacts = 'step';
  phase.requests[0].input = 44_000;
  phase.requests.splice(1, 1, { ...main(2, 52_000), step: undefined }, main(2, 54_000));
  assert.deepEqual(judge(run).failures, []);
  phase.requests[0].input = 52_000;
  assert.match(judge(run).failures.join(), /threshold 50000: the agent compacted between 52050 and 54050/);
});

test('a right run passes, and its table has a line', () => {
  const { failures, numbers } = judge(right());
  assert.deepEqual(failures, []);
  const text = table([{ name: 'An agent', version: '1.2', numbers, failures }]);
  assert.match(text, /\| An agent \| 1\.2 +\| 4 +\| 3\/3 +\| 0 +\| 0 +\| 3\/3 +\| - +\| 0\.40% /);
  assert.match(text, /50000, 49000 to 51000/);
});

test('a row for all tools, an agent without a folder, and an estimate pass', () => {
  const run = right();
  const [phase] = run.phases;
  phase.unplaced = true;
  phase.sessions = [{ workspace: '' }];
  phase.requests[3].rows.mcpTools = 2000;
  phase.requests[3].said.rows[1].tokens = 5000;
  phase.requests[1].said = said(48_000, { measured: false, basis: 'estimated' });
  const { failures, numbers } = judge(run);
  assert.deepEqual(failures, []);
  assert.match(table([{ name: 'An agent', version: '1.2', numbers, failures }]), /\| -1000, -1000 +\|/);
});

test('an agent that compacts in the background may send a request before', () => {
  const run = right();
  const [phase] = run.phases;
  phase.compacts = 'background';
  phase.requests.splice(2, 0, main(2.5, 52_500));
  assert.doesNotMatch(judge(run).failures.join(), /threshold 50000/);
  phase.compacts = 'after';
  phase.requests.splice(2, 0, main(2.7, 52_100));
  assert.match(judge(run).failures.join(), /threshold 50000: the agent compacted between/);
});

const faults = {
  'an estimate has the basis measured+counted': (phase) => {
    phase.requests[1].said = said(48_000, { measured: false, basis: 'measured+counted' });
  },
  'the estimate is 0': (phase) => {
    phase.requests[1].said = said(0, { measured: false, basis: 'estimated' });
  },
  'no session of the folder': (phase) => {
    phase.sessions[0].workspace = '/other';
  },
  'no session was found': (phase) => {
    phase.requests[1].said = { error: 'no session' };
  },
  'the 95th percentile of tool steps is 1.4%': (phase) => {
    phase.replay.kinds[0].p95Percent = 1.4;
  },
  'replay found no tool step': (phase) => {
    phase.replay.kinds = [];
  },
  'in 1 of 1 sessions: 3 records were skipped': (phase) => {
    phase.replayErrors = 'ctx-lsp: in 1 of 1 sessions: 3 records were skipped: of an unknown type';
  },
  '2 records were skipped': (phase) => {
    phase.requests[0].said.warnings = ['2 records were skipped: of an unknown type.'];
  },
  'row system: 1500 for 2050': (phase) => {
    phase.requests[3].said.rows[0].tokens = 1500;
  },
  'row memory: 1800 for 1400': (phase) => {
    phase.requests[3].said.rows[2].tokens = 1800;
  },
  'rows mcpTools: 0 without a name for 2000': (phase) => {
    phase.requests[3].rows.mcpTools = 2000;
  },
  'row mcpTools: 226 for 77': (phase) => {
    phase.requests[3].rows.mcpTools = 77;
    const label = 'MCP and other tools, not recorded';
    phase.requests[3].said.rows.push({ kind: 'mcpTools', label, tokens: 226, basis: 'derived' });
  },
  'threshold 60000: the agent compacted between 49000 and 51000': (phase) => {
    for (const { said: reading } of phase.requests) reading.threshold = 60_000;
  },
  'the threshold is 9000, and was 50000': (phase) => {
    phase.requests[3].said.threshold = 9000;
  },
  'no threshold was shown': (phase) => {
    for (const { said: reading } of phase.requests) reading.threshold = undefined;
  },
  'did not compact': (phase) => {
    phase.requests.splice(2, 1);
  },
  'ctx-lsp statusline exited with 1': (phase) => {
    phase.calls.push({ code: 1, what: 'statusline' });
  },
  'the agent did not run ctx-lsp statusline': (phase) => {
    phase.phase = 'terminal';
  },
  'the provider failed: /v1/messages': (phase) => {
    phase.requests.push({ failed: '/v1/messages: TypeError' });
  },
  'did not come to the end of a script': (phase) => {
    phase.requests[3].step = 'ls';
  },
};

for (const [failure, damage] of Object.entries(faults)) {
  test(`fails: ${failure}`, () => {
    const run = right();
    damage(run.phases[0]);
    const { failures } = judge(run);
    assert.ok(
      failures.some((each) => each.includes(failure)),
      failures.join('\n'),
    );
  });
}
