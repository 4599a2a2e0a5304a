import type { Started } from '../supervisor';

/** Where the module and the vocabulary packs lie in the installed extension. */
export const coreFolder = 'dist/core';

/** How the files of the extension are read on this platform. */
export interface CoreFiles {
  read(name: string): Promise<Uint8Array>;
  readonly where: string;
}

/** Starts the calculator inside this extension. */
export async function startCore(files: CoreFiles): Promise<Started> {
  void files;
  throw new Error('The WebAssembly core is not part of this build.');
}
