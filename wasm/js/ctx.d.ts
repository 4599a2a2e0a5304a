// Copyright The ctx-lsp authors. MIT licence.

import type { Methods } from './types';

export * from './types';

/** What the core refused to do. */
export class CtxError extends Error {
  readonly code: number;
  /** `kind` is one of the kinds of errors in docs/protocol.md; `dead` is there when the core crashed. */
  readonly data: { kind?: string; field?: string; name?: string; known?: string[]; dead?: boolean };
}

/** What a module can be made from. */
export type ModuleSource = ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;

export interface LoadOptions {
  /**
   * Gives the bytes of a vocabulary pack. Without it, counting with that vocabulary is an error of kind
   * `needs_vocabulary`.
   */
  vocabularies?: (name: string) => Uint8Array | ArrayBuffer | Promise<Uint8Array | ArrayBuffer>;
  /** Is told what the module writes when it crashes; console.error if absent. */
  log?: (text: string) => void;
}

/** One instance of the core with its own sessions. */
export interface Core {
  /** True after the module crashed: its sessions are gone, and a new core must be loaded. */
  readonly dead: boolean;
  /** Carries out a method. Calls run in the order in which they were made; vocabularies are loaded on the way. */
  call<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Promise<Methods[M]['result']>;
  /** The same at once. Throws the error of kind `needs_vocabulary` for a pack that is not there yet. */
  callSync<M extends keyof Methods>(method: M, params?: Methods[M]['params']): Methods[M]['result'];
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
