// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../api/protocol';
import { ApiSessions } from '../../src/api';
import { ApiSession, type Caller } from '../../src/apiSession';
import { CallError } from '../../src/backend';
import { reading } from '../reading';

/** A backend in miniature: `used` is the number of characters that were appended. */
class FakeCaller implements Caller {
  generation = 1;
  calls: string[] = [];
  sessions = new Map<string, number>();
  fail: CallError | undefined;
  private waiting: (() => void)[] = [];

  call<T>(method: string, params: object): Promise<T> {
    const p = params as { id: string; append?: { text: string }[]; ledger?: { used: number } };
    this.calls.push(method);
    if (this.fail) {
      const { fail } = this;
      this.fail = undefined;
      return Promise.reject(fail);
    }
    const short = method.slice('ctx/session/'.length);
    if (short === 'open' || short === 'restore') {
      if (this.sessions.has(p.id)) {
        return Promise.reject(new CallError('There is one.', 1004, 'session_exists', {}));
      }
      this.sessions.set(p.id, p.ledger?.used ?? 0);
    } else if (!this.sessions.has(p.id)) {
      return Promise.reject(new CallError('There is none.', 1001, 'unknown_session', {}));
    }
    const used = (this.sessions.get(p.id) ?? 0) + (p.append ?? []).reduce((sum, i) => sum + i.text.length, 0);
    this.sessions.set(p.id, used);
    if (short === 'close') {
      this.sessions.delete(p.id);
    }
    return Promise.resolve((short === 'save' ? { ledger: { used } } : reading({ session: p.id, used })) as T);
  }

  after(generation: number): Promise<void> {
    return this.generation > generation ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The backend is replaced by one that remembers nothing. */
  replace(): void {
    this.sessions.clear();
    this.generation += 1;
    for (const w of this.waiting.splice(0)) {
      w();
    }
  }
}

const open = (caller: Caller, seen: Reading[] = []) =>
  ApiSession.open('v1', caller, { model: 'm' }, { changed: (r) => seen.push(r), show() {}, closed() {} });
const stopped = () => new CallError('Gone.', -32097, 'stopped', undefined);

test('calls are applied in the order in which they were made', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  const used = await Promise.all(
    ['a', 'bb', 'ccc'].map((text) => session.append({ kind: 'user', text }).then((r) => r.used)),
  );
  assert.deepEqual(used, [1, 3, 6]);
  assert.equal(session.reading.used, 6);
});

test('after a restart the session is sent again, and nothing is lost', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  await session.append({ kind: 'user', text: '12345' });
  caller.replace();
  session.moved();
  assert.equal((await session.append({ kind: 'assistant', text: '678' })).used, 8);
});

test('a call during which the daemon dies is applied once, by the next one', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  await session.append({ kind: 'user', text: '12345' });
  caller.fail = stopped();
  const pending = session.append({ kind: 'user', text: '67' });
  setTimeout(() => caller.replace(), 20);
  assert.equal((await pending).used, 7);
  assert.equal((await session.append({ kind: 'user', text: '8' })).used, 8);
});

test('after a pause the ledger is saved, and only later calls are sent again', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  await session.append({ kind: 'user', text: '12345' });
  for (const end = Date.now() + 30_000; !caller.calls.includes('ctx/session/save'); ) {
    assert.ok(Date.now() < end, caller.calls.join());
    await new Promise((r) => setTimeout(r, 20));
  }
  await session.append({ kind: 'user', text: '6' });
  caller.replace();
  caller.calls = [];
  assert.equal((await session.append({ kind: 'user', text: '7' })).used, 7);
  assert.deepEqual(caller.calls, ['ctx/session/restore', 'ctx/session/update', 'ctx/session/update']);
});

test('a refused call leaves the session unchanged and is not sent again', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  caller.fail = new CallError('"kind" is wrong.', -32602, 'invalid_params', { field: 'kind' });
  await assert.rejects(session.append({ kind: 'user', text: '123' }), (e: CallError) => e.kind === 'invalid_params');
  caller.replace();
  assert.equal((await session.append({ kind: 'user', text: '4' })).used, 1);
});

test('a session that the daemon kept from before is replaced, not doubled', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  await session.append({ kind: 'user', text: '12345' });
  caller.replace();
  caller.sessions.set('v1', 3);
  assert.equal((await session.append({ kind: 'user', text: '6' })).used, 6);
});

test('a closed session refuses calls', async () => {
  const caller = new FakeCaller();
  const session = await open(caller);
  session.dispose();
  await assert.rejects(session.append({ kind: 'user', text: 'x' }), /The session v1 was closed\./);
  assert.equal(caller.sessions.size, 0);
});

test('an error of another bundle keeps its kind', () => {
  class Other extends Error {
    readonly kind = 'stopped';
    readonly code = -32097;
  }
  assert.equal(CallError.from(new Other('Gone.')).kind, 'stopped');
  assert.equal(
    CallError.from({ message: 'No.', code: -32602, data: { kind: 'invalid_params' } }).kind,
    'invalid_params',
  );
  assert.equal(CallError.from('boom').kind, 'internal');
});

test('an ended session stays ended, whatever any backend reports afterwards', async () => {
  const caller = new FakeCaller();
  const ended: string[] = [];
  const api = new ApiSessions({
    caller,
    changed() {},
    show() {},
    closed: (id) => ended.push(id),
    sessions: () => [],
    front: () => undefined,
  });
  const opening = api.exports.open({ model: 'm' });
  assert.ok(!api.hasEnded('vscode-1'), 'it is being opened');
  const session = await opening;
  assert.ok(!api.hasEnded('vscode-1'));
  await Promise.all([1, 2, 3].map(() => session.append({ kind: 'user', text: 'x' })));
  session.dispose();
  assert.deepEqual(ended, ['vscode-1']);
  assert.ok(api.hasEnded('vscode-1'), 'a Reading that was on its way comes late');
  caller.replace();
  api.moved();
  assert.ok(api.hasEnded('vscode-1'), 'also from the next daemon');
  assert.ok(!api.hasEnded('vscode-2') && !api.hasEnded('3f2a9c1b') && !api.hasEnded('vscode-1x'));
});

test('other extensions read all sessions and the focused one, and are notified of changes', async () => {
  const front = { session: 'a', used: 1 } as unknown as Reading;
  let shown: Reading | undefined;
  const api = new ApiSessions({
    caller: new FakeCaller(),
    changed() {},
    show() {},
    closed() {},
    sessions: () => (shown ? [shown] : []),
    front: () => shown,
  });
  const told: string[] = [];
  api.exports.onDidChangeSessions((all) => told.push(`sessions ${all.length}`));
  api.exports.onDidChangeFront((r) => told.push(`front ${r?.session ?? 'none'}`));
  assert.deepEqual([api.exports.sessions, api.exports.front], [[], undefined]);
  api.drawn();
  shown = front;
  api.drawn();
  api.drawn();
  shown = undefined;
  api.drawn();
  assert.deepEqual(told, ['sessions 0', 'sessions 1', 'front a', 'sessions 1', 'sessions 0', 'front none']);
  shown = front;
  assert.deepEqual([api.exports.sessions, api.exports.front], [[front], front]);
});
