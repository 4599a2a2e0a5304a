// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import {
  load,
  type Core as Module,
  type Reading,
  type SessionParams,
  type WatchParams,
} from '../../../../wasm/js/ctx.js';
import { type Backend, type BackendEvent, CallError } from '../backend';

/** Where the module and the vocabulary packs lie in the installed extension. */
export const coreFolder = 'dist/core';

/** How the files of the extension are read on this platform. */
export interface CoreFiles {
  read(name: string): Promise<Uint8Array>;
}

/**
 * The core as a {@link Backend}: the same calculator as in the daemon, as WebAssembly inside this extension. It can
 * reach no file and no process, so it knows the sessions of other extensions, and none of this machine.
 */
export class Core implements Backend {
  readonly kind = 'core';
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ended = new vscode.EventEmitter<CallError>();
  readonly onEvent = this.events.event;
  readonly onEnded = this.ended.event;

  private look: WatchParams = {};
  /** Of each session what the core answered to `ctx/crossing`, to be given with its next Reading. */
  private readonly crossings = new Map<string, string>();

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
      const answer = await call.call(this.module, method, params);
      if (method === 'ctx/session/close') {
        this.crossings.delete((params as SessionParams).id);
      }
      if ((answer as Partial<Reading> | null)?.schema !== 'ctx.reading/1') {
        return answer as T;
      }
      const reading = await this.asAsked(answer as Reading);
      await this.tellLevel(reading);
      return reading as T;
    } catch (error) {
      const failure = CallError.from(error);
      if (this.module.dead) {
        this.ended.fire(failure);
        throw new CallError(failure.message, failure.code, 'stopped', failure.data);
      }
      throw failure;
    }
  }

  /** There are no sessions of a machine to watch, but the look of Readings applies. */
  private async watch({ mode, lines, words }: WatchParams): Promise<{ sessions: never[] }> {
    if (lines) {
      await this.module.call('ctx/lines', { lines, ...(words && { words }) }); // refuses wrong templates
    }
    this.look = { ...(mode && { mode }), ...(lines && { lines }), ...(words && { words }) };
    return { sessions: [] };
  }

  /** Says when a session has crossed a level, as the daemon does by `ctx/level`. */
  private async tellLevel(reading: Reading): Promise<void> {
    const { session } = reading;
    const before = this.crossings.get(session);
    const { state, level, crossed, first } = await this.module.call('ctx/crossing', {
      reading,
      ...(before !== undefined && { state: before }),
    });
    this.crossings.set(session, state);
    if (level && crossed) {
      this.events.fire({ type: 'level', session, level, crossed, ...(first && { first }), reading: reading as never });
    }
  }

  /** A Reading as it was asked for, just as the daemon sends it. */
  private async asAsked(answer: Reading): Promise<Reading> {
    const { mode, lines, words } = this.look;
    let reading = answer;
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
