// Copyright The ctx-lsp authors. MIT licence.

import { type Core, load } from '../../../../wasm/js/ctx.js';
import { listPacks, readPack } from './packs';

let core: Promise<Core> | null = null;

/** Returns the core, which is loaded once, and again after a crash. */
export function getCore(): Promise<Core> {
  core ??= make().catch((fault: unknown) => {
    core = null;
    throw fault;
  });
  return core;
}

export function dropCore(): void {
  core = null;
}

/** Returns a separate core for trying something out. */
export const emptyCore = (): Promise<Core> =>
  load(fetch(chrome.runtime.getURL('ctx.wasm')), { vocabularies: vocabulary });

async function make(): Promise<Core> {
  const [made, pack, imported] = await Promise.all([emptyCore(), vocabulary('o200k'), listPacks()]);
  // Every estimate uses this vocabulary, so it is loaded before the first text arrives.
  made.loadVocabulary('o200k', pack);
  // Imported vocabularies are loaded when a model of their family is counted.
  for (const name of imported) made.offerVocabulary(name);
  return made;
}

/** Returns a pack of the extension, or one that the user has imported. */
async function vocabulary(name: string): Promise<Uint8Array> {
  const own = await fetch(chrome.runtime.getURL(`packs/${name}.ctxv`)).catch(() => null);
  if (own?.ok) return new Uint8Array(await own.arrayBuffer());
  const imported = await readPack(name);
  if (imported) return imported;
  throw new Error(chrome.i18n.getMessage('packMissing', [name]));
}
