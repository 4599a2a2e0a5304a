// Copyright The ctx-lsp authors. MIT licence.

/** Converts between UTF-16 offsets in an editor's text and the UTF-8 bytes that the core counts. */
export class ByteText {
  /** The start of each line, in UTF-16 units and in bytes. */
  private readonly units: number[] = [0];
  private readonly bytes: number[] = [0];

  constructor(readonly text: string) {
    let byte = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      byte += width(c, text, i);
      if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) {
        this.units.push(i + 1);
        this.bytes.push(byte);
      }
    }
  }

  /** Returns the byte at a UTF-16 offset. */
  byteAt(unit: number): number {
    const line = lastAtMost(this.units, unit);
    let byte = this.bytes[line] ?? 0;
    for (let i = this.units[line] ?? 0; i < unit && i < this.text.length; i++) {
      byte += width(this.text.charCodeAt(i), this.text, i);
    }
    return byte;
  }
}

/**
 * Returns how many bytes a UTF-16 unit adds. The first unit of a surrogate pair adds all four. A lone surrogate is sent
 * as U+FFFD, which has three.
 */
function width(c: number, text: string, i: number): number {
  if (c < 0x80) {
    return 1;
  }
  if (c < 0x800) {
    return 2;
  }
  if (c >= 0xd800 && c < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
    return 4;
  }
  const before = text.charCodeAt(i - 1);
  return isLow(c) && before >= 0xd800 && before < 0xdc00 ? 0 : 3;
}

function isLow(c: number): boolean {
  return c >= 0xdc00 && c < 0xe000;
}

/** Returns the index of the last entry that is not greater than the value. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
