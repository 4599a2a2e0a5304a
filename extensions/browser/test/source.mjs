// Copyright The ctx-lsp authors. MIT licence.

import { join } from 'node:path';
import { build } from 'esbuild';
import { listed } from '../folders.mjs';

/** One of the extension's modules, as Node can load it. */
export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../src', path)],
    bundle: true,
    format: 'esm',
    plugins: [listed],
    write: false,
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
