// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { FirstChange, FirstOf } from '../../api/types';
import { fillGroups, fillItem } from '../../src/view/fillNodes';
import { Setups, setupItem, setupText } from '../../src/view/setup';
import { reading } from '../reading';
import { env } from './vscode';

const now = new Date(2026, 10, 22).getTime();
const day = 86_400_000;

afterEach(() => {
  env.language = 'en';
});

function first(change: Partial<FirstChange> | null = {}): FirstOf {
  const session = (id: string, ago: number, mcp: number) => ({
    session: id,
    agentVersion: '2.1.200',
    model: 'claude-opus-5',
    at: now - ago * day,
    in: 40_000,
    setup: 18_000 + mcp,
    rows: [
      { kind: 'system', tokens: 3000 },
      { kind: 'tools', tokens: 15_000 },
      ...(mcp > 0 ? [{ kind: 'mcpTools', tokens: mcp }] : []),
    ],
    mcpServers: mcp > 0 ? [{ name: 'github', tokens: mcp }] : [],
  });
  return {
    agent: 'claude-code',
    name: 'Claude Code',
    sentence: '',
    change: change && {
      from: 18_000,
      to: 31_000,
      since: now - 48 * day,
      steady: false,
      kind: 'mcpTools',
      tokens: 13_000,
      servers: ['github', 'files'],
      otherModel: false,
      ...change,
    },
    sessions: [session('old', 48, 0), session('s1', 1, 13_000)],
  };
}

test('a line shows how the setup changed, since when, and by what', () => {
  const line = (change: Partial<FirstChange> = {}) => {
    const item = setupItem(first(change), reading(), now);
    return [item?.label, item?.description].join(' | ');
  };
  assert.equal(line(), 'Fixed context 18,000 → 31,000 | since October · +13,000 MCP tools (github, files)');
  assert.equal(
    line({ since: now - 400 * day, otherModel: true }),
    'Fixed context 18,000 → 31,000 | since October 2025 · +13,000 MCP tools (github, files) · another model',
  );
  assert.equal(
    line({ from: 31_000, to: 18_000, kind: 'memory', tokens: -13_000, servers: [], since: now - 3 * day }),
    'Fixed context 31,000 → 18,000 | since November 19 · -13,000 Memory',
  );
  assert.equal(line({ steady: true, kind: '', tokens: 0 }), 'Fixed context 31,000 | the same since October');
  assert.equal(setupItem(first(null), reading(), now), undefined, 'one session is compared with nothing');
  assert.doesNotMatch(line({ servers: ['$(error) x'] }), /\$\(error\)/);
});

test('the line is below the parts of the window and opens the list of sessions', () => {
  const fill = { reading: reading(), items: undefined, canOpen: false, setup: first() };
  const nodes = fillGroups(fill);
  assert.deepEqual(
    nodes.map((n) => n.kind),
    ['group', 'setup'],
  );
  assert.equal(fillItem(nodes[1] as never, fill).command?.command, 'ctx.view.setup');
  assert.deepEqual(
    fillGroups({ ...fill, setup: first(null) }).map((n) => n.kind),
    ['group'],
  );
  const text = setupText(first(), now);
  for (const part of [
    '# Fixed context over time',
    '18,000 (old, claude-opus-5)',
    '31,000 (s1, claude-opus-5)',
    '    - github: 13,000',
  ]) {
    assert.ok(text.includes(part), `${part} is not in\n${text}`);
  }
});

test('the daemon is asked once for a workspace and an agent, and again for a new session a minute later', async () => {
  const asked: object[] = [];
  let drawn = 0;
  const setups = new Setups(
    <T>(_: string, params: object) => {
      asked.push(params);
      return Promise.resolve({ workspace: '/w', agents: [first()] } as T);
    },
    () => drawn++,
    () => Promise.resolve(),
  );
  const at = (session: string, time: number) => setups.of(reading({ session }), time);
  assert.equal(at('s1', now), undefined);
  await Promise.resolve().then(() => undefined);
  await new Promise(setImmediate);
  assert.equal(drawn, 1);
  assert.equal(at('s1', now)?.agent, 'claude-code');
  assert.equal(at('new', now + 1000)?.agent, 'claude-code', 'what is known stays while nothing newer is');
  assert.deepEqual(asked, [{ workspace: '/w', agent: 'claude-code' }]);
  at('new', now + 61_000);
  assert.equal(asked.length, 2);
  assert.equal(setups.of(reading({ workspace: '' }), now), undefined);
  assert.equal(asked.length, 2, 'nothing is asked where no workspace is known');
  setups.dispose();
});

test('without a daemon there is no line', async () => {
  const setups = new Setups(
    () => Promise.reject(new Error('There is no daemon.')),
    () => assert.fail('there is nothing to draw'),
    () => Promise.resolve(),
  );
  setups.of(reading(), now);
  await new Promise(setImmediate);
  assert.equal(setups.of(reading(), now), undefined);
});
