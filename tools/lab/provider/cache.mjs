// Copyright The ctx-lsp authors. MIT licence.

// The prompt cache: by marks for Messages, otherwise the longest common beginning with an earlier request.
import { createHash } from 'node:crypto';

export class Cache {
  #kept = new Set();
  #recent = [];

  /** Returns the cached tokens that a request reads and writes. */
  use({ blocks, input }, byMarks, unit = 1) {
    return byMarks ? this.#marked(blocks) : this.#common(blocks, input, unit);
  }

  #marked(blocks) {
    let sum = 0;
    let read = 0;
    let end = 0;
    let key = '';
    const ends = [];
    for (const block of blocks) {
      key = createHash('sha1')
        .update(key + block.key)
        .digest('base64');
      sum += block.tokens;
      if (this.#kept.has(key)) read = sum;
      if (!block.marked) continue;
      end = sum;
      ends.push(key);
    }
    for (const each of ends) this.#kept.add(each);
    return { read, written: Math.max(end - read, 0) };
  }

  #common(blocks, input, unit) {
    let read = 0;
    for (const earlier of this.#recent) {
      let sum = 0;
      for (let i = 0; i < blocks.length && earlier[i]?.key === blocks[i].key; i++) sum += blocks[i].tokens;
      read = Math.max(read, sum);
    }
    this.#recent.push(blocks);
    if (this.#recent.length > 12) this.#recent.shift();
    return { read: Math.floor(Math.min(read, input) / unit) * unit, written: 0 };
  }
}
