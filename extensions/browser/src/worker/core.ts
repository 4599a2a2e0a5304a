// Copyright The ctx-lsp authors. MIT licence.

import { type Core, load } from '../../../../wasm/js/ctx.js'

let core: Promise<Core> | null = null

/** The core, loaded once; anew if it has crashed. */
export function getCore(): Promise<Core> {
  core ??= make()
  return core
}

export function dropCore(): void {
  core = null
}

async function make(): Promise<Core> {
  const made = await load(fetch(chrome.runtime.getURL('ctx.wasm')), { vocabularies: vocabulary })
  // Every estimate starts from this one, so that the first badge need not wait for it twice.
  made.loadVocabulary('o200k', await vocabulary('o200k'))
  return made
}

/** A pack of the extension's own, or one that the person has imported. */
async function vocabulary(name: string): Promise<Uint8Array> {
  const imported = (await chrome.storage.local.get(`pack:${name}`))[`pack:${name}`]
  if (typeof imported === 'string') return Uint8Array.from(atob(imported), (c) => c.charCodeAt(0))
  const response = await fetch(chrome.runtime.getURL(`packs/${name}.ctxv`))
  if (!response.ok) throw new Error(`The vocabulary ${name} is not part of this extension; import it on the options page.`)
  return new Uint8Array(await response.arrayBuffer())
}
