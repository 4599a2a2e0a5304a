// Copyright The ctx-lsp authors. MIT licence.

import type { Request } from '../messages';
import { emptyCore } from '../worker/core';
import { dropPack, keepPack, listPacks } from '../worker/packs';

const most = 8 << 20;
const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args);

/** Keeps a pack under its file's name, if the core can count with it. */
export async function importPack(file: File): Promise<void> {
  if (file.size > most) throw new Error(say('packTooLarge'));
  const name = file.name.replace(/\.ctxv$/, '');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const core = await emptyCore();
  core.loadVocabulary(name, bytes);
  await core.call('ctx/count', { text: 'The quick brown fox', encoding: name });
  await keepPack(name, bytes);
  await changed();
}

/** The packs that are there, each with a button that removes it. */
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
