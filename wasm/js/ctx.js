// Copyright The ctx-lsp authors. MIT licence.

// Loads the core of ctx-lsp, ctx.wasm, in any JavaScript host: Node, browsers, VS Code on the desktop and on the web.
//
//     import { load } from '@ctx-lsp/core'
//     const file = (name) => import.meta.resolve(`@ctx-lsp/core/${name}`)
//     const core = await load(file('ctx.wasm'), { vocabularies: { o200k: file('o200k.ctxv') } })
//     const { tokens } = await core.count('Hello, world!', { encoding: 'o200k_base' })
//
// The module has no access to files, the network or processes. Built with TinyGo, it imports nothing at all; built with
// the Go toolchain, it imports WASI, which is provided as stubs.

import { bytes, open } from './source.js';
import { countParams, explained, named, pieces } from './tokens.js';
import { ModuleExit, wasi } from './wasi.js';

/** An error that the core returned. `data.kind` is its kind; docs/protocol.md lists them. */
export class CtxError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.name = 'CtxError';
    this.code = code;
    this.data = data ?? {};
  }
}

/**
 * Creates a core from the module.
 * @param source bytes, a URL, a path, a Response, a compiled WebAssembly.Module, or a promise of one of these
 * @param options.vocabularies vocabulary packs by their names, or a function that returns the pack for a name
 * @param options.log called with what the module writes to its standard error: nothing, unless it crashes
 */
export async function load(source, options = {}) {
  const module = await compile(await source);
  const foreign = WebAssembly.Module.imports(module).find(
    (i) => i.module !== 'wasi_snapshot_preview1' || i.kind !== 'function',
  );
  if (foreign) throw new TypeError(`This is not the core of ctx-lsp: it imports ${foreign.module}.${foreign.name}.`);
  const exported = new Set(WebAssembly.Module.exports(module).map((e) => e.name));
  for (const name of ['memory', 'alloc', 'call', 'load', 'offer', 'withdraw']) {
    if (!exported.has(name)) throw new TypeError(`This is not the core of ctx-lsp: it does not export ${name}.`);
  }
  const host = wasi(options.log ?? ((text) => console.error(text)));
  const instance = await WebAssembly.instantiate(module, host.imports(module));
  host.attach(instance.exports.memory);
  const core = new Core(instance.exports, host, vocabulariesOf(options.vocabularies));
  core.start();
  return core;
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const opened = await open(source, 'The module', 'a compiled WebAssembly.Module');
  const compiled = (made) =>
    made.catch((cause) => {
      if (!(cause instanceof WebAssembly.CompileError) || isForbidden(cause)) throw cause;
      throw new WebAssembly.CompileError(`The module is not WebAssembly: ${cause.message}`, { cause });
    });
  if (opened instanceof Uint8Array) return compiled(WebAssembly.compile(opened));
  const streams = WebAssembly.compileStreaming && opened.headers.get('content-type')?.startsWith('application/wasm');
  return compiled(streams ? WebAssembly.compileStreaming(opened) : WebAssembly.compile(await opened.arrayBuffer()));
}

/** Reports whether a policy of the browser or worker forbids WebAssembly; its own error explains that best. */
const isForbidden = (cause) => /policy|unsafe-eval|disallowed|blocked/i.test(cause.message);

/** Returns the function that provides vocabularies; null if none were given. */
function vocabulariesOf(given) {
  if (given === undefined || given === null) return null;
  if (typeof given === 'function') return given;
  if (typeof given === 'object') return (name) => given[name];
  throw new TypeError(
    `\`vocabularies\` must be a function or an object of packs by their names, not a ${typeof given}.`,
  );
}

/** The second argument of exports that have only one. */
const nothing = new Uint8Array(0);

/** An instance of the core with its own sessions. */
class Core {
  #exports;
  #host;
  #vocabularies;
  #queue = Promise.resolve();
  #crash = null;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  constructor(exports, host, vocabularies) {
    this.#exports = exports;
    this.#host = host;
    this.#vocabularies = vocabularies;
  }

  start() {
    this.#run('its start', () => this.#exports._initialize?.());
  }

  /** Whether the module has crashed: its sessions are lost, and a new core must be loaded. */
  get dead() {
    return this.#crash !== null;
  }

  /**
   * Runs a method of docs/protocol.md and resolves to its result. Calls run in the order in which they were made, and a
   * vocabulary that one needs is loaded first.
   */
  async call(method, params = {}) {
    return result(await this.answer(method, JSON.stringify(params)));
  }

  /** Runs a method synchronously. Throws an error of kind `needs_vocabulary` if a pack is not loaded yet. */
  callSync(method, params = {}) {
    return result(this.answerSync(method, JSON.stringify(params)));
  }

  /**
   * Resolves to the number of tokens of a text for a model or in an encoding; without either, to an estimate with a
   * note.
   */
  async count(text, options = {}) {
    const params = countParams(text, options);
    return explained(await this.call('ctx/count', params), params);
  }

  /** Adds items or messages to the end of a session's conversation. Resolves to its Reading. */
  append(id, ...items) {
    return this.call('ctx/session/update', { id, append: items });
  }

  /**
   * Resolves to the tokens of a text, each as its bytes, in o200k_base unless a model or another encoding is named.
   * They have no numbers, because vocabulary packs contain none.
   */
  async encode(text, options) {
    return pieces(text, (await this.call('ctx/count', { ...named(options), text, boundaries: true })).boundaries);
  }

  /** Resolves to the count of a text's tokens with its basis if it is within the limit, otherwise to false. */
  async isWithinLimit(text, limit, options) {
    if (typeof limit !== 'number' || Number.isNaN(limit))
      throw new TypeError('isWithinLimit needs a text and the number of tokens that it may have.');
    const answer = await this.call('ctx/count', { ...named(options), text });
    return answer.tokens <= limit && answer;
  }

  /** Registers a vocabulary pack under a name. */
  loadVocabulary(name, pack) {
    const bytes = pack instanceof Uint8Array ? pack : new Uint8Array(pack);
    const refused = this.#exchange('load', `loading the vocabulary ${name}`, this.#encoder.encode(name), bytes);
    if (refused !== '') result(refused);
  }

  /**
   * Declares that a vocabulary can be loaded when it is needed: models of that family are then counted, not estimated.
   */
  offerVocabulary(name) {
    const refused = this.#exchange('offer', `offering the vocabulary ${name}`, this.#encoder.encode(name), nothing);
    if (refused !== '') result(refused);
  }

  /** Withdraws an offer: models of that family are estimated again. */
  withdrawVocabulary(name) {
    this.#exchange('withdraw', `withdrawing the vocabulary ${name}`, this.#encoder.encode(name), nothing);
  }

  /**
   * `call` with JSON texts on both sides: parameters (a text or its bytes) in, the envelope {"result"} or {"error"}
   * out.
   */
  answer(method, params) {
    const answered = this.#queue.then(() => this.#attempt(method, params));
    this.#queue = answered.then(
      () => {},
      () => {},
    );
    return answered;
  }

  /** `callSync` with JSON texts on both sides. */
  answerSync(method, params) {
    const bytes = typeof params === 'string' ? this.#encoder.encode(params) : params;
    return this.#exchange('call', method, this.#encoder.encode(method), bytes);
  }

  async #attempt(method, params) {
    let asked;
    for (;;) {
      const answer = this.answerSync(method, params);
      const missing = missingVocabulary(answer);
      if (missing === undefined || missing === asked || !this.#vocabularies) return answer;
      asked = missing;
      const pack = await this.#pack(missing);
      if (pack === undefined) return answer;
      this.loadVocabulary(missing, pack);
    }
  }

  /** Resolves to the bytes of a vocabulary pack; undefined if there is none of that name. */
  async #pack(name) {
    const what = `The vocabulary ${name}`;
    let given;
    try {
      given = await this.#vocabularies(name);
    } catch (cause) {
      throw new Error(`${what} could not be loaded: ${cause?.message ?? cause}`, { cause });
    }
    return given === undefined || given === null ? undefined : bytes(given, what);
  }

  #exchange(name, doing, first, second) {
    return this.#run(doing, () => {
      const { memory, alloc, [name]: exported } = this.#exports;
      const ptr = alloc(first.length + second.length) >>> 0;
      if (ptr !== 0) {
        const room = new Uint8Array(memory.buffer, ptr, first.length + second.length);
        room.set(first);
        room.set(second, first.length);
      }
      const packed = BigInt.asUintN(64, exported(ptr, first.length, ptr + first.length, second.length));
      if (packed === 0n) return '';
      return this.#decoder.decode(new Uint8Array(memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)));
    });
  }

  /** Runs work in the module, unless it has crashed: after a trap its memory may be in any state. */
  #run(doing, work) {
    if (this.#crash) throw this.#crashed(`The engine is dead since it crashed in ${this.#crash}; load a new one.`);
    try {
      return work();
    } catch (cause) {
      this.#crash = doing;
      const words =
        this.#host.lastWords() || (cause instanceof ModuleExit ? cause.message : String(cause?.message ?? cause));
      throw this.#crashed(`The engine crashed in ${doing}: ${words}. Its sessions are gone; load a new one.`, cause);
    }
  }

  #crashed(message, cause) {
    const error = new CtxError({ code: -32603, message, data: { kind: 'internal', dead: true } });
    if (cause !== undefined) error.cause = cause;
    return error;
  }
}

function result(answer) {
  const envelope = JSON.parse(answer);
  if (envelope.error) throw new CtxError(envelope.error);
  return envelope.result;
}

/**
 * Returns the name of the vocabulary that a response asks for; undefined if it asks for none. Only errors are parsed,
 * because responses may be large.
 */
function missingVocabulary(answer) {
  if (!answer.startsWith('{"error":')) return undefined;
  const { data } = JSON.parse(answer).error;
  return data?.kind === 'needs_vocabulary' ? data.name : undefined;
}
