// Copyright The ctx-lsp authors. MIT licence.

// node --test wasm/js, after `make wasm`; CTX_FAULT_WASM names a module that was built with -tags ctxfault.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CtxError, load } from './ctx.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bytes = await readFile(here('ctx.wasm'));
const vocabularies = (name) => readFile(here(`../../internal/assets/${name}.ctxv`));
const quiet = { log() {} };

test('items are appended without the name of a method', async () => {
  const core = await load(bytes);
  await core.call('ctx/session/open', { id: 'append', limits: { window: 1000 } });
  const reading = await core.append('append', { kind: 'user', tokens: 10 }, { kind: 'assistant', tokens: 5 });
  assert.equal(reading.used, 15);
});

test('a session is opened, updated and read', async () => {
  const core = await load(bytes);
  const opened = await core.call('ctx/session/open', { limits: { window: 200000 }, reserve: 16000 });
  assert.equal(opened.schema, 'ctx.reading/3');
  await core.call('ctx/session/usage', { id: opened.session, provider: 'ctx', usage: { in: 50000, out: 2000 } });
  const reading = await core.call('ctx/session/update', {
    id: opened.session,
    append: [{ kind: 'user', tokens: 100 }],
  });
  assert.equal(reading.used, 52100);
  assert.equal(reading.percent, 26.05);
  assert.equal(reading.free, 131900);
});

test('a core is made from bytes, an ArrayBuffer, a module, a promise or a Response', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/typed' ? 'application/wasm' : 'application/octet-stream');
    response.statusCode = request.url === '/missing' ? 404 : 200;
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  try {
    const sources = [
      bytes,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      new WebAssembly.Module(bytes),
      Promise.resolve(bytes),
      fetch(`${url}/typed`),
      fetch(`${url}/untyped`),
    ];
    for (const source of sources) {
      const core = await load(source);
      assert.deepEqual(await core.call('ctx/sessions'), { sessions: [] });
    }
    await assert.rejects(load(fetch(`${url}/missing`)), /could not be fetched.*404/);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('what is no core is refused', async () => {
  await assert.rejects(load(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])), /does not export memory/);
  await assert.rejects(load(new TextEncoder().encode('hello')), WebAssembly.CompileError);
});

test('an error is a CtxError with its code, kind and sentence', async () => {
  const core = await load(bytes);
  await assert.rejects(core.call('ctx/session/reading', { id: 'nobody' }), (e) => {
    assert.ok(e instanceof CtxError);
    assert.equal(e.code, 1001);
    assert.equal(e.data.kind, 'unknown_session');
    assert.match(e.message, /nobody/);
    return true;
  });
  assert.throws(() => core.callSync('ctx/nothing'), { code: -32601 });
  assert.equal(core.dead, false);
});

test('a vocabulary is loaded when it is needed, once', async () => {
  const asked = [];
  const core = await load(bytes, {
    vocabularies: (name) => {
      asked.push(name);
      return vocabularies(name);
    },
  });
  const [a, b] = await Promise.all([
    core.call('ctx/count', { text: 'How many tokens is this?', encoding: 'o200k_base' }),
    core.call('ctx/count', { text: 'How many tokens is this?', encoding: 'o200k_base' }),
  ]);
  assert.equal(a.tokens, 6);
  assert.deepEqual(a, b);
  assert.deepEqual(asked, ['o200k']);
  assert.equal(core.callSync('ctx/count', { text: 'two words', encoding: 'o200k_base' }).tokens, 2);
});

test('calls keep their order while a vocabulary is on its way', async () => {
  const core = await load(bytes, {
    vocabularies: (name) => new Promise((r) => setTimeout(() => r(vocabularies(name)), 30)),
  });
  await core.call('ctx/session/open', { id: 'a', limits: { window: 1000 } });
  const done = [];
  await Promise.all([
    core
      .call('ctx/session/update', { id: 'a', model: 'gpt-5.5', append: [{ kind: 'user', text: 'Hello there' }] })
      .then(() => done.push(1)),
    core.call('ctx/session/update', { id: 'a', removeFrom: 0 }).then(() => done.push(2)),
  ]);
  assert.deepEqual(done, [1, 2]);
  assert.equal((await core.call('ctx/session/reading', { id: 'a' })).used, 0);
});

test('without vocabularies, or with a broken one, the error says which', async () => {
  const bare = await load(bytes);
  await assert.rejects(
    bare.call('ctx/count', { text: 'x', encoding: 'o200k_base' }),
    (e) => e.data.kind === 'needs_vocabulary' && e.data.name === 'o200k',
  );
  const broken = await load(bytes, { vocabularies: () => new Uint8Array(100) });
  await assert.rejects(broken.call('ctx/count', { text: 'x', encoding: 'o200k_base' }), CtxError);
  const failing = await load(bytes, { vocabularies: () => Promise.reject(new Error('offline')) });
  await assert.rejects(failing.call('ctx/count', { text: 'x', encoding: 'o200k_base' }), /offline/);
  assert.deepEqual(await failing.call('ctx/sessions'), { sessions: [] }, 'the core goes on');
});

test('an offered vocabulary is asked for, and one that was withdrawn is not', async () => {
  const core = await load(bytes);
  const model = 'qwen3-14b';
  const { family } = (await core.call('ctx/models', { query: model })).models[0];
  const count = () => core.callSync('ctx/count', { text: 'The lighthouse keeper', model });
  core.loadVocabulary('o200k', await vocabularies('o200k'));
  assert.match(count().basis, /estimated/);
  core.offerVocabulary(family);
  assert.throws(count, (e) => e.data.kind === 'needs_vocabulary' && e.data.name === family);
  core.withdrawVocabulary(family);
  assert.match(count().basis, /estimated/);
  assert.throws(() => core.loadVocabulary(family, new Uint8Array(0)), CtxError, 'an empty pack is no pack');
});

test('parameters over the limit are refused and nothing else happens', async () => {
  const core = await load(bytes);
  await core.call('ctx/session/open', { id: 'a' });
  await assert.rejects(
    core.call('ctx/session/update', { id: 'a', system: 'x'.repeat(64 << 20) }),
    (e) => e.data.kind === 'limit_exceeded',
  );
  await assert.rejects(
    core
      .answer('ctx/session/update', '{"id"')
      .then(JSON.parse)
      .then((a) => Promise.reject(a.error)),
    { code: -32700 },
  );
  assert.equal((await core.call('ctx/session/reading', { id: 'a' })).used, 0);
});

test('a core that crashed says why, and is dead', {
  skip: !process.env.CTX_FAULT_WASM && 'CTX_FAULT_WASM names no module',
}, async () => {
  const core = await load(await readFile(process.env.CTX_FAULT_WASM), quiet);
  await core.call('ctx/session/open', { id: 'a' });
  await assert.rejects(core.call('fault/trap'), (e) => {
    assert.ok(e instanceof CtxError);
    assert.equal(e.data.dead, true);
    assert.match(e.message, /crashed in fault\/trap: .*fault\/trap was called/);
    return true;
  });
  assert.equal(core.dead, true);
  await assert.rejects(
    core.call('ctx/session/reading', { id: 'a' }),
    /dead since it crashed in fault\/trap; load a new one/,
  );
});

test('the module and vocabularies are found by a path, a URL or its text, and a Blob', async () => {
  const path = here('ctx.wasm');
  const url = new URL('ctx.wasm', import.meta.url);
  const o200k = new URL('../../internal/assets/o200k.ctxv', import.meta.url);
  for (const source of [path, url, String(url), new Blob([bytes])]) {
    const core = await load(source, { vocabularies: { o200k } });
    assert.equal((await core.count('two words', { encoding: 'o200k' })).tokens, 2);
  }
});

test('what cannot be loaded is said, and what could be', async () => {
  await assert.rejects(load({}), /The module must be bytes, .* a URL or a path, .* not an object/);
  await assert.rejects(load(here('nothing.wasm')), /The module could not be read from .*nothing\.wasm: ENOENT/);
  await assert.rejects(load(), /a compiled WebAssembly\.Module, .* not undefined/);
  await assert.rejects(load(new Uint8Array([1, 2, 3])), /^CompileError: The module is not WebAssembly: /);
  await assert.rejects(
    load(new Response('no', { status: 404 })),
    /^TypeError: The module could not be fetched: 404\.$/,
  );
  const read = new Response(bytes);
  await read.arrayBuffer();
  await assert.rejects(load(read), /The module cannot be read: that Response was read before/);
  await assert.rejects(load(bytes, { vocabularies: 5 }), /must be a function or an object of packs/);
  const core = await load(bytes, { vocabularies: { o200k: 7 } });
  await assert.rejects(
    core.count('x', { encoding: 'o200k_base' }),
    /The vocabulary o200k must be bytes, .* not a number/,
  );
  await assert.rejects(core.count('x', { encoding: 'cl100k' }), (e) => e.data.name === 'cl100k');
});

test('tokens are counted, listed and limited as users of tokenizers know it', async () => {
  const core = await load(bytes, { vocabularies });
  const text = 'Hello, wörld! 🎉 <|endoftext|>';
  const { tokens, basis } = await core.count({ text, encoding: 'o200k' });
  assert.equal(basis, 'counted');
  const pieces = await core.encode(text);
  assert.equal(pieces.length, tokens);
  assert.equal(Buffer.concat(pieces).toString(), text);
  assert.deepEqual(await core.encode(''), []);
  const within = await core.isWithinLimit(text, tokens);
  assert.deepEqual([within.tokens, within.basis], [tokens, 'counted']);
  assert.equal(await core.isWithinLimit(text, tokens - 1), false);
  await assert.rejects(core.isWithinLimit(text), /needs a text and the number of tokens/);
  assert.equal((await core.count(text, { encoding: 'cl100k_base' })).encoding, 'cl100k_base');
});

test('an unknown model is a note with near names, and its tokens cannot be listed', async () => {
  const core = await load(bytes, { vocabularies });
  const { basis, note } = await core.count('Hello, world!', { model: 'gpt-55' });
  assert.deepEqual([basis, note], ['estimated', 'The model gpt-55 is unknown. Did you mean gpt-5, gpt-5.5?']);
  const within = await core.isWithinLimit('Hello, world!', 100, { model: 'gpt-55' });
  assert.deepEqual([within.basis, within.note], [basis, note]);
  await assert.rejects(core.encode('Hello, world!', { model: 'gpt-55' }), (e) => {
    assert.deepEqual(e.data, { kind: 'invalid_params', field: 'model', known: ['gpt-5', 'gpt-5.5'] });
    return /unknown model "gpt-55", .* similar names are gpt-5, gpt-5\.5\.$/.test(e.message);
  });
});

test('a count for nothing that was named says that it estimates', async () => {
  const core = await load(bytes, { vocabularies });
  const answer = await core.count('Hello, world!');
  assert.equal(answer.basis, 'estimated');
  assert.match(answer.note, /neither a model nor an encoding is named/);
});
