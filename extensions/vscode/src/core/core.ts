// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { load, type Core as Module } from '../../../../wasm/js/ctx.js';
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
    try {
      return (await (this.module.call as (method: string, params: object) => Promise<unknown>)(method, params)) as T;
    } catch (error) {
      const failure = CallError.from(error);
      if (this.module.dead) {
        this.ended.fire(failure.message);
        throw new CallError(failure.message, failure.code, 'stopped', failure.data);
      }
      throw failure;
    }
  }

  dispose(): void {
    this.events.dispose();
    this.ended.dispose();
  }
}
