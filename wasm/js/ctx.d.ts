// Copyright The ctx-lsp authors. MIT licence.

import type { CountAnswer, CountParams, Methods } from './types.js';

export * from './types.js';

/** What the core refused to do. */
export class CtxError extends Error {
  readonly code: number;
  /** `kind` is one of the kinds of errors in docs/protocol.md; `dead` is there when the core crashed. */
  readonly data: { kind?: string; field?: string; name?: string; known?: string[]; dead?: boolean };
}

/** What bytes can be read from: themselves, or where they are. A text is a URL or a path. */
export type ByteSource = ArrayBuffer | ArrayBufferView | Response | Blob | URL | string;

/** What a module can be made from. */
export type ModuleSource = ByteSource | WebAssembly.Module;

/** What a vocabulary pack can be read from; undefined where there is none of that name. */
export type PackSource = ByteSource | undefined;

export interface LoadOptions {
  /**
   * Vocabulary packs by their names, or a function that gives the one of a name. Counting with a vocabulary that is not
   * there is an error of kind `needs_vocabulary`.
   */
  vocabularies?:
    | { readonly [name: string]: PackSource | Promise<PackSource> }
    | ((name: string) => PackSource | Promise<PackSource>);
  /** Is told what the module writes when it crashes; console.error if absent. */
  log?: (text: string) => void;
}

/** What to count for: a model, with its provider where several have one of that name, or an encoding. */
export interface CountOptions {
  model?: string;
  provider?: string;
  encoding?: string;
}

/** One instance of the core with its own sessions. */
export interface Core {
  /** True after the module crashed: its sessions are gone, and a new core must be loaded. */
  readonly dead: boolean;
  /** Carries out a method. Calls run in the order in which they were made; vocabularies are loaded on the way. */
  call<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Promise<Methods[M]['result']>;
  /** The same at once. Throws the error of kind `needs_vocabulary` for a pack that is not there yet. */
  callSync<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Methods[M]['result'];
  /** How many tokens a text has for a model or in an encoding; without either, about how many, and `note` says so. */
  count(text: string, options?: CountOptions): Promise<CountAnswer>;
  count(params: CountParams & { exact?: null }): Promise<CountAnswer>;
  /**
   * The tokens of a text, each as its bytes, in o200k_base unless a model or another encoding is named. They have no
   * numbers, because vocabulary packs hold none; `(await core.encode(text)).length` is what gpt-tokenizer gives.
   */
  encode(text: string, options?: CountOptions): Promise<Uint8Array[]>;
  /**
   * The count of a text with its basis if it is within the limit, else false; in o200k_base unless something is named.
   */
  isWithinLimit(text: string, limit: number, options?: CountOptions): Promise<CountAnswer | false>;
  /** Makes a vocabulary pack known under its name. */
  loadVocabulary(name: string, pack: Uint8Array | ArrayBuffer): void;
  /** Says that a vocabulary can be loaded when it is needed: models of that family are counted, not estimated. */
  offerVocabulary(name: string): void;
  /** Takes an offer back: models of that family are estimated again. */
  withdrawVocabulary(name: string): void;
  /** `call` with JSON texts on both sides: parameters in, the envelope {"result"} or {"error"} out. */
  answer(method: string, params: string | Uint8Array): Promise<string>;
  /** `callSync` with JSON texts on both sides. */
  answerSync(method: string, params: string | Uint8Array): string;
}

/** Makes a core from the module, ctx.wasm. */
export function load(source: ModuleSource | Promise<ModuleSource>, options?: LoadOptions): Promise<Core>;
