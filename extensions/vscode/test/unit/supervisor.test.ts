// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { type Backend, type BackendEvent, CallError } from '../../src/backend';
import { CannotStart, Supervisor } from '../../src/supervisor';

const log = { info() {}, warn() {}, error() {} } as unknown as vscode.LogOutputChannel;

class FakeBackend implements Backend {
  readonly version = '1';
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ended = new vscode.EventEmitter<CallError>();
  readonly onEvent = this.events.event;
  readonly onEnded = this.ended.event;
  disposed = false;
  constructor(readonly kind: 'daemon' | 'core') {}
  call<T>(method: string): Promise<T> {
    return Promise.resolve(`${this.kind} ${method}` as T);
  }
  end(): void {
    this.ended.fire(new CallError('The daemon ended unexpectedly.', -32603, 'stopped', undefined));
  }
  dispose(): void {
    this.disposed = true;
  }
}

const core = () => Promise.resolve({ backend: new FakeBackend('core'), where: 'here' });

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !holds(); i++) {
    await new Promise((r) => setTimeout(r, 10));
  }
  assert.ok(holds());
}

test('where no process can be started the core answers, and nothing is wrong', async () => {
  const s = new Supervisor({ daemon: () => undefined, core }, log);
  s.start();
  assert.equal(await s.call('ctx/models', {}), 'core ctx/models');
  assert.deepEqual(s.health, { state: 'ready', kind: 'core', version: '1', where: 'here' });
});

test('requests at the start wait for a backend, or until there will be none', async () => {
  const s = new Supervisor({ daemon: () => undefined, core }, log);
  s.start();
  assert.equal(s.kind, undefined);
  await s.settled();
  assert.equal(s.kind, 'core');
  const none = new Supervisor({ daemon: () => undefined, core: () => Promise.reject(new Error('No module.')) }, log);
  none.start();
  await none.settled();
  assert.equal(none.health.state, 'stopped');
});

test('without a daemon the core answers, and the trouble is kept', async () => {
  const trouble = { kind: 'noDaemon', sentence: 'There is none.' } as const;
  const s = new Supervisor({ daemon: () => Promise.reject(new CannotStart(trouble, false)), core }, log);
  s.start();
  assert.equal(await s.call('x', {}), 'core x');
  assert.ok(s.health.state === 'ready' && s.health.trouble === trouble);
});

test('with neither daemon nor core calls are refused with the reason', async () => {
  const s = new Supervisor({ daemon: () => undefined, core: () => Promise.reject(new Error('No module.')) }, log);
  s.start();
  await assert.rejects(s.call('x', {}), (e: CallError) => e.kind === 'stopped' && e.message === 'No module.');
  await assert.rejects(s.call('x', {}), /No module/);
});

test('a daemon that ends is started again, and a call made meanwhile waits', async () => {
  const started: FakeBackend[] = [];
  const daemon = () => {
    const backend = new FakeBackend('daemon');
    started.push(backend);
    return Promise.resolve({ backend, where: 'there' });
  };
  const s = new Supervisor({ daemon, core }, log);
  s.start();
  await s.call('x', {});
  const { generation } = s;
  started[0]?.end();
  assert.equal(s.health.state, 'starting');
  assert.equal(await s.call('y', {}), 'daemon y');
  assert.equal(started.length, 2);
  assert.ok(started[0]?.disposed);
  assert.ok(s.generation > generation);
});

test('a daemon that crashes in a loop is replaced by the core; the user may still restart it', async () => {
  let starts = 0;
  let broken = true;
  const daemon = () => {
    starts += 1;
    return broken
      ? Promise.reject(new Error('boom'))
      : Promise.resolve({ backend: new FakeBackend('daemon'), where: 'there' });
  };
  const s = new Supervisor({ daemon, core }, log);
  const waits = setTimeout;
  globalThis.setTimeout = ((f: () => void, ms: number) =>
    waits(f, ms > 5000 && ms < 15_000 ? 5 : ms / 100)) as typeof setTimeout;
  try {
    s.start();
    await until(() => s.health.state === 'ready');
    assert.equal(starts, 5);
    assert.ok(s.health.state === 'ready' && s.health.kind === 'core' && s.health.trouble?.kind === 'crashed');
    broken = false;
    s.restart();
    await until(() => s.health.state === 'ready' && s.health.kind === 'daemon');
  } finally {
    globalThis.setTimeout = waits;
  }
});
