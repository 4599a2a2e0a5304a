// Copyright The ctx-lsp authors. MIT licence.

import type { Environment } from '../platform';
import type { Started } from '../supervisor';
import { Core, type CoreFiles } from './core';

/** Starts the core inside this extension. */
export async function startCore(files: CoreFiles, { log, version }: Environment): Promise<Started> {
  return { backend: await Core.start(files, version, log), where: 'the extension, as WebAssembly' };
}
