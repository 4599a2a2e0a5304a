// Copyright The ctx-lsp authors. MIT licence.

import type { Request } from '../messages';
import { emptyCore } from '../worker/core';
import { dropPack, keepPack, listPacks } from '../worker/packs';
import { isPublished, type NamedPack, packsOf, Refused } from './marked';

const most = 8 << 20;
const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args);

/**
 * Stores the packs of a file if the core can count with all of them; otherwise throws and stores none. Returns their
 * names.
 */
export async function importPack(file: File): Promise<string[]> {
  if (file.size > most) throw new Error(say('packTooLarge'));
  const packs = file.name.endsWith('.json') ? await publishedPacks(file) : [await ownPack(file)];
  const core = await emptyCore();
  for (const { name, pack } of packs) {
    core.loadVocabulary(name, pack);
    await core.call('ctx/count', { text: 'The quick brown fox', encoding: name });
  }
  for (const { name, pack } of packs) await keepPack(name, pack);
  await changed();
  return packs.map((p) => p.name);
}

/** A pack is named after its file. */
const ownPack = async (file: File): Promise<NamedPack> => ({
  name: file.name.replace(/\.ctxv$/, ''),
  pack: new Uint8Array(await file.arrayBuffer()),
});

/** Returns the packs made from the pieces that ctok publishes for Claude; they serve several families. */
async function publishedPacks(file: File): Promise<NamedPack[]> {
  const tables = await fetch(chrome.runtime.getURL('packs/marked.tables'));
  try {
    const published: unknown = JSON.parse(await file.text());
    if (!isPublished(published)) throw new Refused('it has no groups of pieces');
    return packsOf(published, new Uint8Array(await tables.arrayBuffer()));
  } catch (fault) {
    if (fault instanceof Refused || fault instanceof SyntaxError) throw new Error(say('packRefused', fault.message));
    throw fault;
  }
}

/** Lists the stored packs, each with a button that removes it. */
export async function showPacks(list: HTMLElement): Promise<void> {
  const rows = (await listPacks()).map((name) => {
    const row = document.createElement('div');
    row.className = 'pack';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = say('remove');
    button.setAttribute('aria-label', `${say('remove')} ${name}`);
    button.addEventListener(
      'click',
      () =>
        void dropPack(name)
          .then(changed)
          .then(() => showPacks(list)),
    );
    row.append(name, button);
    return row;
  });
  list.replaceChildren(...rows);
}

async function changed(): Promise<void> {
  await chrome.runtime.sendMessage({ type: 'packs' } satisfies Request).catch(() => {});
}
