// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { load, type Core as Module, type Reading, type WatchParams } from '../../../../wasm/js/ctx.js';
import { type Backend, type BackendEvent, CallError } from '../backend';

/** Where the module and the vocabulary packs lie in the installed extension. */
export const coreFolder = 'dist/core';

/** How the files of the extension are read on this platform. */
export interface CoreFiles {
  read(name: string): Promise<Uint8Array>;
}

/**
 * The core as a {@link Backend}: the same calculator as in the daemon, as WebAssembly inside this extension. It can
 * reach no file and no process, so it knows the sessions that other extensions tell, and none of this machine.
 */
export class Core implements Backend {
  readonly kind = 'core';
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ended = new vscode.EventEmitter<string>();
  readonly onEvent = this.events.event;
  readonly onEnded = this.ended.event;

  private look: WatchParams = {};

  private constructor(
    private readonly module: Module,
    readonly version: string,
  ) {}

  static async start(files: CoreFiles, version: string, log: vscode.LogOutputChannel): Promise<Core> {
    const module = await load((await files.read('ctx.wasm')) as Uint8Array<ArrayBuffer>, {
      vocabularies: (name) => files.read(`${name}.ctxv`),
      log: (text) => log.error(text),
    });
    return new Core(module, version);
  }

  async call<T>(method: string, params: object): Promise<T> {
    const call = this.module.call as (method: string, params: object) => Promise<unknown>;
    try {
      if (method === 'ctx/watch') {
        return (await this.watch(params as WatchParams)) as T;
      }
      return (await this.asAsked(await call.call(this.module, method, params))) as T;
    } catch (error) {
      const failure = CallError.from(error);
      if (this.module.dead) {
        this.ended.fire(failure.message);
        throw new CallError(failure.message, failure.code, 'stopped', failure.data);
      }
      throw failure;
    }
  }

  /** There is no machine to watch; what Readings are to look like holds all the same. */
  private async watch({ mode, lines, words }: WatchParams): Promise<{ sessions: never[] }> {
    if (lines) {
      await this.module.call('ctx/lines', { lines, ...(words && { words }) }); // refuses what is wrong
    }
    this.look = { ...(mode && { mode }), ...(lines && { lines }), ...(words && { words }) };
    return { sessions: [] };
  }

  /** A Reading as it was asked for, just as the daemon sends it; anything else as it is. */
  private async asAsked(answer: unknown): Promise<unknown> {
    const { mode, lines, words } = this.look;
    let reading = answer as Reading;
    if ((answer as Partial<Reading> | null)?.schema !== 'ctx.reading/1') {
      return answer;
    }
    if (mode && reading.mode !== mode) {
      reading = await this.module.call('ctx/session/reading', { id: reading.session, mode });
    }
    if (!lines) {
      return reading;
    }
    const made = await this.module.call('ctx/lines', { reading, lines, ...(words && { words }) });
    return { ...reading, lines: made.lines };
  }

  dispose(): void {
    this.events.dispose();
    this.ended.dispose();
  }
}
