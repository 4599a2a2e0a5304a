// Copyright The ctx-lsp authors. MIT licence.

// node --test wasm/js, after `make wasm`; CTX_FAULT_WASM names a module that was built with -tags ctxfault.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CtxError, load } from './ctx.js';
import { Journal } from './journal.js';

const bytes = await readFile(fileURLToPath(new URL('ctx.wasm', import.meta.url)));

/** Returns a core that records its calls, by the short names of the methods. */
async function begin() {
  const core = await load(bytes);
  const asked = [];
  const call = (method, params) => {
    asked.push(method.slice('ctx/session/'.length));
    return core.call(method, params);
  };
  return { call, asked, reading: (id) => core.call('ctx/session/reading', { id }) };
}

const open = { id: 'a', limits: { window: 200000 }, reserve: 16000, at: 1 };
const message = (tokens) => ({ append: [{ kind: 'user', tokens }], at: 3 });
const update = 'ctx/session/update';

/** A session with a measured prompt of 50,000 tokens, an answer of 2,000 and a message of 100. */
async function measured(call) {
  const journal = new Journal(open);
  await journal.tell(call);
  await journal.change(call, 'ctx/session/usage', { provider: 'ctx', usage: { in: 50000, out: 2000 }, at: 2 });
  await journal.change(call, update, message(100));
  return journal;
}

test('a session that is told to another engine is the same to the last number', async () => {
  const first = await begin();
  const journal = await measured(first.call);
  const second = await begin();
  assert.deepEqual(await journal.tell(second.call), await first.reading('a'));
  assert.deepEqual(second.asked, ['open', 'usage', 'update']);
});

test('what the ledger holds is not told again, and what came later is', async () => {
  const first = await begin();
  const journal = await measured(first.call);
  assert.equal(journal.unsaved, 2);
  await journal.save(first.call);
  assert.equal(journal.unsaved, 0);
  await journal.change(first.call, update, message(7));
  const second = await begin();
  assert.equal((await journal.tell(second.call)).used, 52107);
  assert.deepEqual(second.asked, ['restore', 'update']);
});

test('a call that is made while the ledger is saved is kept', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  const saving = journal.save(call);
  await Promise.all([saving, journal.change(call, update, message(7))]);
  assert.equal(journal.unsaved, 1);
  assert.equal((await journal.tell((await begin()).call)).used, 52107);
});

test('a refused call is not kept', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  await assert.rejects(journal.change(call, update, { removeFrom: -1 }), CtxError);
  assert.equal(journal.unsaved, 2);
  assert.equal((await journal.tell((await begin()).call)).used, 52100);
});

test('a call whose engine is lost is made once, by the next one', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  const next = await begin();
  const lost = () => Promise.reject(new Error('gone'));
  const reading = await journal.change(lost, update, message(7), (error) => {
    assert.match(error.message, /gone/);
    return journal.tell(next.call);
  });
  assert.equal(reading.used, 52107);
  assert.deepEqual(next.asked, ['open', 'usage', 'update', 'update']);
  assert.equal(journal.unsaved, 3);
});

test('a call that no engine could make is not kept', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  const lost = () => Promise.reject(new Error('gone'));
  const none = () => Promise.reject(new Error('there is no other'));
  await assert.rejects(journal.change(lost, update, message(7), none), /there is no other/);
  assert.equal((await journal.tell((await begin()).call)).used, 52100);
});

test('an engine that has the session as it was gets it as it is', async () => {
  const { call, asked } = await begin();
  const journal = await measured(call);
  asked.length = 0;
  assert.equal((await journal.tell(call)).used, 52100);
  assert.deepEqual(asked, ['open', 'close', 'open', 'usage', 'update']);
});

test('a ledger that the next engine refuses costs the calls that it contains, and is reported', async () => {
  const first = await begin();
  const journal = await measured(first.call);
  await journal.save(first.call);
  await journal.append(first.call, { kind: 'user', tokens: 7 });
  const next = await begin();
  const damaged = (method, params) => next.call(method, params.ledger ? { ...params, ledger: { v: 1 } } : params);
  const reading = await journal.tell(damaged);
  assert.deepEqual(next.asked, ['restore', 'open', 'update']);
  assert.equal(reading.used, 7);
  assert.match(reading.warnings.map(({ text }) => text).join(), /saved/);
  // What follows is kept as usual, and a later ledger is used again.
  await journal.change(next.call, 'ctx/session/usage', { provider: 'ctx', usage: { in: 52200, out: 10 }, at: 5 });
  await journal.save(next.call);
  const last = await begin();
  assert.equal((await journal.tell(last.call)).used, 52210);
  assert.deepEqual(last.asked, ['restore']);
});

test('a ledger that a host has kept and that is refused is an error', async () => {
  const { call } = await begin();
  await assert.rejects(Journal.from('b', { v: 1 }).tell(call), (e) => e.data.kind === 'bad_ledger');
});

test('a session of the same id that somebody else has is left alone', async () => {
  const { call, reading } = await begin();
  await measured(call);
  await assert.rejects(new Journal(open).tell(call), (e) => e.data.kind === 'session_exists');
  assert.equal((await reading('a')).used, 52100);
});

test('a call that is taken back has never been', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  await journal.change(call, update, message(7));
  journal.takeBack();
  assert.equal((await journal.tell(call)).used, 52100);
  await journal.save(call);
  assert.throws(() => journal.takeBack(), /its ledger holds all of them/);
});

test('a session goes on from a ledger that was kept, under another id too', async () => {
  const { call } = await begin();
  const ledger = await (await measured(call)).save(call);
  const kept = Journal.from('b', JSON.parse(JSON.stringify(ledger)));
  const reading = await kept.tell(call);
  assert.equal(reading.session, 'b');
  assert.equal(reading.used, 52100);
});

test('the ledger is to be saved when the calls are as long as it is, and not for every word', async () => {
  const { call } = await begin();
  const journal = await measured(call);
  assert.equal(journal.heavy, false);
  const label = 'x'.repeat(150);
  while (!journal.heavy) await journal.change(call, update, { append: [{ kind: 'user', tokens: 5, label }] });
  assert.ok(journal.unsaved > 50 && journal.unsaved < 120, `${journal.unsaved} calls`);
  const ledger = await journal.save(call);
  assert.equal(journal.heavy, false);
  let told = 0;
  while (!journal.heavy) {
    const append = [{ kind: 'user', tokens: 5, label }];
    told += JSON.stringify({ append, id: 'a' }).length;
    await journal.change(call, update, { append });
  }
  const enough = Math.max(JSON.stringify(ledger).length, 16 * 1024);
  assert.ok(told >= enough && told < enough + 1000, `${told} characters with a ledger of ${enough}`);
});

test('what the caller does with its objects afterwards changes nothing', async () => {
  const { call } = await begin();
  const journal = new Journal(open);
  await journal.tell(call);
  const usage = { in: 50000, out: 2000 };
  await journal.change(call, 'ctx/session/usage', { provider: 'ctx', usage });
  usage.in = 90000;
  assert.equal((await journal.tell((await begin()).call)).used, 52000);
});

test('a sub-agent stays with its parent when it is restored', async () => {
  const { call } = await begin();
  const parent = await measured(call);
  const child = new Journal({ ...open, id: 'c', parent: 'a' });
  await child.tell(call);
  await parent.save(call);
  await child.save(call);
  const next = await begin();
  await parent.tell(next.call);
  assert.equal((await child.tell(next.call)).parent, 'a');
});

test('a session outlives the module that crashed', {
  skip: !process.env.CTX_FAULT_WASM && 'CTX_FAULT_WASM names no module',
}, async () => {
  const fault = await load(await readFile(process.env.CTX_FAULT_WASM), { log() {} });
  const journal = await measured((method, params) => fault.call(method, params));
  await assert.rejects(fault.call('fault/trap'));
  assert.equal((await journal.tell((await begin()).call)).used, 52100);
});
