// Copyright The ctx-lsp authors. MIT licence.

// Detects files that are not transcripts by their first bytes.

const begins = (bytes, ...start) => start.every((c, i) => bytes[i] === c);

/** Returns why a file with these first bytes is not a transcript, as a sentence; undefined if it may be one. */
export function notText(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 16));
  if (start.startsWith('SQLite format 3')) {
    return 'This is a database, as used by OpenCode, Cursor, Goose, Zed, Crush and others. The program reads it; this page cannot.';
  }
  if (begins(bytes, 0x28, 0xb5, 0x2f, 0xfd)) {
    return 'This file is compressed with zstd. The program can read it; for this page, unpack it first: zstd -d FILE.';
  }
  if (begins(bytes, 0x1f, 0x8b)) {
    return 'This file is compressed with gzip. Unpack it first: gunzip FILE.';
  }
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return 'This is a zip archive. Unpack it, then drop a transcript.';
  }
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff)) {
    return 'This text is UTF-16, but transcripts are UTF-8. Use the original file of the agent.';
  }
  const sample = bytes.subarray(0, 4096);
  if (sample.filter((c) => c === 0 || (c < 9 && c > 0)).length > sample.length / 50) {
    return 'This is not text, so it cannot be a transcript.';
  }
  return undefined;
}
