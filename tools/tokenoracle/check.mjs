// Copyright The ctx-lsp authors. MIT licence.

import { writeFileSync } from 'node:fs';
// Reads lines {"name","text","counts":{encoding: tokens}} and counts each text with the reference tokenizer.
// With --write FILE it writes the reference's counts of the named texts instead.
import { createInterface } from 'node:readline';
import { get_encoding } from 'tiktoken';

const write = process.argv[2] === '--write' ? process.argv[3] : '';
const encodings = {};
const golden = {};
let passed = 0;
let failed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { name, text, counts } = JSON.parse(line);
  for (const [encoding, tokens] of Object.entries(counts)) {
    encodings[encoding] ??= get_encoding(encoding);
    const reference = encodings[encoding].encode_ordinary(text).length;
    golden[encoding] ??= {};
    if (name) golden[encoding][name] = reference;
    if (reference === tokens) {
      passed++;
    } else if (++failed <= 20) {
      console.log(
        `${encoding} of ${name || JSON.stringify(text.slice(0, 200))}: ${tokens}, the reference says ${reference}`,
      );
    }
  }
}
if (write) writeFileSync(write, `${JSON.stringify(golden, null, 1)}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
