// Copyright The ctx-lsp authors. MIT licence.

// Cuts bytes into JSON values, judging by brackets and quotes alone, like internal/transcript. The core decides whether
// a value is well-formed.

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [brace, braceEnd, bracket, bracketEnd] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (c) => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;

/** Returns the bytes without surrounding white space and zeros. */
export function trim(bytes) {
  let [from, to] = [0, bytes.length];
  while (from < to && (isSpace(bytes[from]) || bytes[from] === 0)) from++;
  while (to > from && (isSpace(bytes[to - 1]) || bytes[to - 1] === 0)) to--;
  return bytes.subarray(from, to);
}

/** Returns the end of the string that begins at `start`, or -1. */
export function stringEnd(bytes, start) {
  for (let i = start + 1; ; i++) {
    i = bytes.indexOf(quote, i);
    if (i < 0) return -1;
    let escapes = 0;
    while (bytes[i - 1 - escapes] === backslash && i - 1 - escapes > start) escapes++;
    if (escapes % 2 === 0) return i + 1;
  }
}

/** Returns the end of the object or array that begins at `start`, or -1. */
export function containerEnd(bytes, start = 0) {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote: {
        const end = stringEnd(bytes, i);
        if (end < 0) return -1;
        i = end - 1;
        break;
      }
      case brace:
      case bracket:
        depth++;
        break;
      case braceEnd:
      case bracketEnd:
        if (--depth <= 0) return i + 1;
    }
  }
  return -1;
}

/**
 * Returns the records of a line: usually one object, several after a collision of two writers. An unreadable rest
 * becomes the number of its bytes.
 */
export function recordsOf(line) {
  const records = [];
  let rest = trim(line);
  while (rest.length > 0) {
    const end = rest[0] === brace ? containerEnd(rest) : -1;
    if (end < 0) {
      records.push(rest.length);
      break;
    }
    records.push(rest.subarray(0, end));
    rest = trim(rest.subarray(end));
  }
  return records;
}

/** Returns the objects and arrays in the array that begins at `start`, and its end; -1 if it is incomplete. */
function elements(bytes, start) {
  const values = [];
  for (let i = start + 1; i < bytes.length; ) {
    const c = bytes[i];
    if (c === bracketEnd) return { values, end: i + 1 };
    if (c === brace || c === bracket || c === quote) {
      const end = c === quote ? stringEnd(bytes, i) : containerEnd(bytes, i);
      if (end < 0) break;
      if (c !== quote) values.push(bytes.subarray(i, end));
      i = end;
    } else {
      i++;
    }
  }
  return { values, end: -1 };
}

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const messages = ['"messages"', '"history"'].map((key) => new TextEncoder().encode(key));
const isMessages = (bytes, from, to) =>
  messages.some((key) => key.length === to - from && key.every((c, i) => bytes[from + i] === c));

/**
 * Cuts a document into its object without the messages, and each message; an array into its elements. A truncated
 * document yields its complete parts.
 */
export function documentRecords(text) {
  const bytes = trim(text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text);
  if (bytes[0] === bracket) return elements(bytes, 0).values;
  if (bytes[0] !== brace) return [];
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const c = bytes[i];
    if (c === quote) {
      const end = stringEnd(bytes, i);
      if (end < 0) return [];
      if (depth === 1 && isMessages(bytes, i, end)) {
        let at = end;
        while (isSpace(bytes[at]) || bytes[at] === colon) at++;
        if (bytes[at] === bracket) {
          const { values, end: close } = elements(bytes, at);
          const head = bytes.subarray(0, at + 1);
          const rest =
            close < 0 ? Uint8Array.of(bracketEnd, braceEnd) : join(Uint8Array.of(bracketEnd), bytes.subarray(close));
          return [join(head, rest), ...values];
        }
      }
      i = end - 1;
    } else if (c === brace || c === bracket) {
      depth++;
    } else if ((c === braceEnd || c === bracketEnd) && --depth === 0) {
      return [bytes.subarray(0, i + 1)];
    }
  }
  return [];
}

/** Joins values into one JSON array. */
export const arrayOf = (values) =>
  join(
    Uint8Array.of(bracket),
    ...values.flatMap((v, i) => (i === 0 ? [v] : [Uint8Array.of(comma), v])),
    Uint8Array.of(bracketEnd),
  );
