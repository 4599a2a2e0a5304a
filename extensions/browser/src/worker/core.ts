// Copyright The ctx-lsp authors. MIT licence.

import { type Core, load } from '../../../../wasm/js/ctx.js';
import { listPacks, readPack } from './packs';

let core: Promise<Core> | null = null;

/** The core, which is loaded once, and anew after a crash. */
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

/** A separate core, in which something can be tried. */
export const emptyCore = (): Promise<Core> =>
  load(fetch(chrome.runtime.getURL('ctx.wasm')), { vocabularies: vocabulary });

async function make(): Promise<Core> {
  const [made, pack, imported] = await Promise.all([emptyCore(), vocabulary('o200k'), listPacks()]);
  // Every estimate uses this vocabulary, so it is loaded before the first text comes.
  made.loadVocabulary('o200k', pack);
  // What the person has imported is loaded when a model of its family is counted.
  for (const name of imported) made.offerVocabulary(name);
  return made;
}

/** A pack of the extension, or one that the person has imported. */
async function vocabulary(name: string): Promise<Uint8Array> {
  const own = await fetch(chrome.runtime.getURL(`packs/${name}.ctxv`)).catch(() => null);
  if (own?.ok) return new Uint8Array(await own.arrayBuffer());
  const imported = await readPack(name);
  if (imported) return imported;
  throw new Error(chrome.i18n.getMessage('packMissing', [name]));
}
