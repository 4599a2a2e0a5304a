// Copyright The ctx-lsp authors. MIT licence.

// Files that are not transcripts, by their first bytes.

const begins = (bytes, ...start) => start.every((c, i) => bytes[i] === c);

/** Why a file with these first bytes is not a transcript, in a sentence; undefined if it may be one. */
export function notText(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 16));
  if (start.startsWith('SQLite format 3')) {
    return 'This is a database. OpenCode, Cursor, Goose, Zed, Crush and others keep their sessions so; they are read by the program, not here.';
  }
  if (begins(bytes, 0x28, 0xb5, 0x2f, 0xfd)) {
    return 'This file is compressed by zstd. The program reads it as it is; here, unpack it first: zstd -d FILE.';
  }
  if (begins(bytes, 0x1f, 0x8b)) {
    return 'This file is compressed by gzip. Unpack it first: gunzip FILE.';
  }
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return 'This is a zip archive. Drop a transcript out of it.';
  }
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff)) {
    return 'This text is UTF-16. Transcripts are UTF-8: was it copied by an editor?';
  }
  const sample = bytes.subarray(0, 4096);
  if (sample.filter((c) => c === 0 || (c < 9 && c > 0)).length > sample.length / 50) {
    return 'This is no text, so it is no transcript.';
  }
  return undefined;
}
