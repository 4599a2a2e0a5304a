// Copyright The ctx-lsp authors. MIT licence.

import type { Appendix, CountAnswer, CountParams, Methods, Reading } from './types.js';

export * from './types.js';

/** An error that the core returned. */
export class CtxError extends Error {
  readonly code: number;
  /** `kind` is one of the kinds of errors in docs/protocol.md; `dead` is set if the core crashed. */
  readonly data: { kind?: string; field?: string; name?: string; known?: string[]; dead?: boolean };
}

/** A source of bytes: the bytes themselves, or their location. A string is a URL or a path. */
export type ByteSource = ArrayBuffer | ArrayBufferView | Response | Blob | URL | string;

/** A source of the module. */
export type ModuleSource = ByteSource | WebAssembly.Module;

/** A source of a vocabulary pack; undefined if there is none of that name. */
export type PackSource = ByteSource | undefined;

export interface LoadOptions {
  /**
   * Vocabulary packs by their names, or a function that returns the pack for a name. Counting with a missing vocabulary
   * is an error of kind `needs_vocabulary`.
   */
  vocabularies?:
    | { readonly [name: string]: PackSource | Promise<PackSource> }
    | ((name: string) => PackSource | Promise<PackSource>);
  /** Called with the module's output when it crashes; by default console.error. */
  log?: (text: string) => void;
}

/** The tokenizer to count with: that of a model, with its provider if several have the name, or an encoding. */
export interface CountOptions {
  model?: string;
  provider?: string;
  encoding?: string;
}

/** An instance of the core with its own sessions. */
export interface Core {
  /** Whether the module has crashed: its sessions are lost, and a new core must be loaded. */
  readonly dead: boolean;
  /**
   * Runs a method and resolves to its result. Calls run in the order in which they were made; vocabularies are loaded
   * when they are needed.
   */
  call<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Promise<Methods[M]['result']>;
  /** Runs a method synchronously. Throws an error of kind `needs_vocabulary` if a pack is not loaded yet. */
  callSync<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Methods[M]['result'];
  /** Adds items or messages to the end of a session's conversation. Resolves to its Reading. */
  append(id: string, ...items: readonly Appendix[]): Promise<Reading>;
  /**
   * Resolves to the number of tokens of a text for a model or in an encoding; without either, to an estimate with a
   * `note`.
   */
  count(text: string, options?: CountOptions): Promise<CountAnswer>;
  count(params: CountParams & { exact?: null }): Promise<CountAnswer>;
  /**
   * Resolves to the tokens of a text, each as its bytes, in o200k_base unless a model or another encoding is named.
   * They have no numbers, because vocabulary packs contain none; `(await core.encode(text)).length` is the number that
   * gpt-tokenizer returns.
   */
  encode(text: string, options?: CountOptions): Promise<Uint8Array[]>;
  /**
   * Resolves to the count of a text with its basis if it is within the limit, otherwise to false; in o200k_base unless
   * a model or another encoding is named.
   */
  isWithinLimit(text: string, limit: number, options?: CountOptions): Promise<CountAnswer | false>;
  /** Registers a vocabulary pack under a name. */
  loadVocabulary(name: string, pack: Uint8Array | ArrayBuffer): void;
  /**
   * Declares that a vocabulary can be loaded when it is needed: models of that family are then counted, not estimated.
   */
  offerVocabulary(name: string): void;
  /** Withdraws an offer: models of that family are estimated again. */
  withdrawVocabulary(name: string): void;
  /** `call` with JSON texts on both sides: parameters in, the envelope {"result"} or {"error"} out. */
  answer(method: string, params: string | Uint8Array): Promise<string>;
  /** `callSync` with JSON texts on both sides. */
  answerSync(method: string, params: string | Uint8Array): string;
}

/** Creates a core from the module, ctx.wasm. */
export function load(source: ModuleSource | Promise<ModuleSource>, options?: LoadOptions): Promise<Core>;
