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

/** The directory of the module and the vocabulary packs in the installed extension. */
export const coreFolder = 'dist/core';

/** Reads files of the extension on this platform. */
export interface CoreFiles {
  read(name: string): Promise<Uint8Array>;
}

/**
 * The core as a {@link Backend}: the same code as in the daemon, as WebAssembly inside this extension. It cannot access
 * files or processes, so it knows only the sessions of other extensions.
 */
export class Core implements Backend {
  readonly kind = 'core';
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ended = new vscode.EventEmitter<CallError>();
  readonly onEvent = this.events.event;
  readonly onEnded = this.ended.event;

  private look: WatchParams = {};
  /** The state from `ctx/crossing` for each session, to be passed with its next Reading. */
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
      if ((answer as Partial<Reading> | null)?.schema !== 'ctx.reading/3') {
        return answer as T;
      }
      const reading = await this.asAsked(answer as Reading);
      await this.reportLevel(reading);
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

  /** Applies the look of Readings. There are no sessions of this machine to watch. */
  private async watch({ mode, lines, words, panel }: WatchParams): Promise<{ sessions: never[] }> {
    if (lines) {
      await this.module.call('ctx/lines', { lines, ...(words && { words }) }); // refuses wrong templates
    }
    this.look = { ...(mode && { mode }), ...(lines && { lines }), ...(words && { words }), ...(panel && { panel }) };
    return { sessions: [] };
  }

  /** Fires an event if a session has crossed a level, like the daemon's `ctx/level`. */
  private async reportLevel(reading: Reading): Promise<void> {
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

  /** Returns a Reading with the requested mode and lines, exactly as the daemon sends it. */
  private async asAsked(answer: Reading): Promise<Reading> {
    const { mode, lines, words, panel } = this.look;
    let reading = answer;
    if ((mode && reading.mode !== mode) || (panel && !('panel' in reading))) {
      reading = await this.module.call('ctx/session/reading', {
        id: reading.session,
        ...(mode && { mode }),
        ...((panel || 'panel' in reading) && { panel: true }),
      });
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
