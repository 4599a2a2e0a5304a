// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const read = (path) => readFile(join(import.meta.dirname, path), 'utf8');

/** Returns the ids and the English texts of the core's phrases, from the list that the VS Code extension translates. */
export async function phrases() {
  const list = await read('../vscode/src/phrases.gen.ts');
  return [...list.matchAll(/^ {2}(\w+): \(\.\.\.args\) => vscode\.l10n\.t\('(.*)', \.\.\.args\),$/gm)].map(
    ([, id, text]) => [id, text.replace(/\\(.)/g, '$1')],
  );
}

/**
 * Returns the messages of a language, with the core's phrases as messages of their own: core_ and the id. A phrase that
 * the extension words in its own way stays.
 */
export async function withPhrases(language) {
  const own = JSON.parse(await read(`_locales/${language}/messages.json`));
  const bundle = `../vscode/l10n/bundle.l10n${language === 'en' ? '' : `.${language}`}.json`;
  const translated = JSON.parse(await read(bundle));
  const all = {};
  for (const [id, text] of (await phrases()).filter(([, text]) => !text.includes('}{')))
    all[`core_${id}`] = {
      message: (translated[text] ?? text).replaceAll('$', '$$$$').replace(/\{(\d)\}/g, (_, n) => `$${+n + 1}`),
    };
  return { ...all, ...own };
}
