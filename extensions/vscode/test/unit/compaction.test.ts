// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Reading } from '../../api/protocol';
import { typeCompaction } from '../../src/compaction';
import type { Held } from '../../src/terminals';
import { reading } from '../reading';
import * as stub from './vscode';

/**
 * Two agents in one folder, each in a terminal of its own; `at` says which sessions each may run, “=” before a proved
 * one.
 */
function setUp(at: Record<number, string[]>, change: Record<string, Partial<Reading>> = {}, status = '') {
  stub.window.terminals = Object.keys(at).map((pid) => {
    const typed: [string, boolean][] = [];
    return {
      name: `terminal ${pid}`,
      processId: Promise.resolve(Number(pid)),
      typed,
      show() {},
      sendText: (text: string, enter: boolean) => void typed.push([text, enter]),
    };
  });
  const waits = { activity: 'waiting', waitingFor: 'prompt', file: '/t.jsonl' } as const;
  return {
    run: (session: string) =>
      typeCompaction(session, {
        fresh: (id) => Promise.resolve(reading({ session: id, title: `title of ${id}`, ...waits, ...change[id] })),
        holdings: (pids) => Promise.resolve(pids.map((pid) => held(pid, at[pid] ?? [], status))),
      }),
    typed: () => stub.window.terminals.map((t) => t.typed),
  };
}

/** What the daemon answers of one terminal: “=a” is proved by the agent's own file, “?a” inferred from times. */
function held(pid: number, sessions: string[], status = ''): Held {
  const [first = ''] = sessions;
  const proof = first.startsWith('=') ? 'sessionFile' : first.startsWith('?') ? 'start' : '';
  return proof
    ? { pid, session: first.slice(1), proof, status, candidates: [] }
    : { pid, session: null, proof: '', status, candidates: sessions };
}

beforeEach(() => {
  stub.window.messages = [];
  stub.window.asked = 0;
  stub.window.choose = (items) => items[0];
  stub.workspace.isTrusted = true;
});

test('the command goes to the agent that is certainly meant, and Enter is left to the user', async () => {
  const { run, typed } = setUp({ 1: ['=a'], 2: ['=b'] });
  await run('b');
  assert.deepEqual(typed(), [[], [['/compact', false]]]);
  assert.equal(stub.window.asked, 0);
});

test('if two agents look alike the user is asked, with their titles; without a reply nothing is typed', async () => {
  const { run, typed } = setUp({ 1: ['a', 'b'], 2: ['a', 'b'] });
  stub.window.choose = (items) => {
    assert.deepEqual(
      items.map((i) => i.label),
      ['$(terminal) 1: terminal 1', '$(terminal) 2: terminal 2'],
    );
    assert.match(items[1]?.detail ?? '', /title of a — Claude Code · title of b — Claude Code/);
    return undefined;
  };
  await run('b');
  assert.equal(stub.window.asked, 1);
  assert.deepEqual(typed(), [[], []]);
  stub.window.choose = (items) => items[1];
  await run('b');
  assert.deepEqual(typed(), [[], [['/compact', false]]]);
});

test('a proof in one terminal outweighs a possibility in another, and one possibility alone is no proof', async () => {
  const { run, typed } = setUp({ 1: ['b'], 2: ['=b'] });
  await run('b');
  assert.equal(stub.window.asked, 0);
  assert.deepEqual(typed(), [[], [['/compact', false]]]);
  const alone = setUp({ 1: ['b'] });
  stub.window.choose = () => undefined;
  await alone.run('b');
  assert.equal(stub.window.asked, 1);
  assert.deepEqual(alone.typed(), [[]]);
});

test('a session inferred from times only is confirmed by the user', async () => {
  const { run, typed } = setUp({ 1: ['?a'], 2: ['=b'] });
  stub.window.choose = () => undefined;
  await run('a');
  assert.equal(stub.window.asked, 1);
  assert.deepEqual(typed(), [[], []]);
});

for (const [status, said] of [
  ['waiting', /is asking for an approval/],
  ['busy', /is working/],
] as const) {
  test(`the agent's own word “${status}” counts, whatever its records show`, async () => {
    const { run, typed } = setUp({ 1: ['=a'] }, {}, status);
    await run('a');
    assert.deepEqual(typed(), [[]]);
    assert.match(stub.window.messages.join('\n'), said);
  });
}

test('one terminal that may run either is no proof', async () => {
  const { run, typed } = setUp({ 1: ['a', 'b'] });
  stub.window.choose = () => undefined;
  await run('b');
  assert.equal(stub.window.asked, 1);
  assert.deepEqual(typed(), [[]]);
});

for (const [name, change, said] of [
  ['a permission dialog is open', { activity: 'waiting', waitingFor: 'approval' }, /is asking for an approval/],
  ['a request runs', { pending: true }, /is working/],
  ['a tool runs', { activity: 'working', waitingFor: '' }, /is working/],
  ['nothing tells what the agent does', { activity: '', waitingFor: '' }, /may not be waiting/],
  ['it waits, and nothing tells what for', { waitingFor: '' }, /may not be waiting/],
  ['it has ended', { activity: 'ended', waitingFor: '' }, /has ended/],
] as const) {
  test(`nothing is typed while ${name}, and the reason is shown`, async () => {
    const { run, typed } = setUp({ 1: ['=a'] }, { a: change });
    await run('a');
    assert.deepEqual(typed(), [[]]);
    assert.match(stub.window.messages.join('\n'), said);
  });
}

test('nothing is typed where the other of two agents that look alike asks for a permission', async () => {
  const { run, typed } = setUp({ 1: ['a', 'b'] }, { a: { activity: 'waiting', waitingFor: 'approval' } });
  await run('b');
  assert.equal(stub.window.asked, 0);
  assert.deepEqual(typed(), [[]]);
  assert.match(stub.window.messages.join('\n'), /title of a — Claude Code is asking for an approval/);
});

test('an agent that began to work during the question is left alone', async () => {
  let asked = false;
  const { typed } = setUp({ 1: ['a', 'b'], 2: ['a', 'b'] });
  stub.window.choose = (items) => {
    asked = true;
    return items[0];
  };
  await typeCompaction('a', {
    fresh: (id) =>
      Promise.resolve(
        reading({ session: id, activity: asked ? 'working' : 'waiting', waitingFor: asked ? '' : 'prompt' }),
      ),
    holdings: (pids) => Promise.resolve(pids.map((pid) => held(pid, ['a', 'b']))),
  });
  assert.ok(asked);
  assert.deepEqual(typed(), [[], []]);
});

test('without a terminal that is known to run it, and in Restricted Mode, nothing is typed', async () => {
  const { run, typed } = setUp({ 1: [] });
  await run('a');
  assert.match(stub.window.messages.join('\n'), /title of a — Claude Code was not found in a terminal/);
  stub.workspace.isTrusted = false;
  const trusted = setUp({ 1: ['=a'] });
  await trusted.run('a');
  assert.deepEqual([...typed(), ...trusted.typed()].flat(), []);
});
