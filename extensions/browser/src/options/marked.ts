// Copyright The ctx-lsp authors. MIT licence.

// Builds packs from the pieces that ctok publishes for Claude, byte for byte identical to those of `ctx-lsp vocab add
// claude` (internal/vocabulary/tiles.go). Each mark of a piece becomes one byte, and every byte is a character of a
// string here, so that strings sort like bytes.

/** A pack and the name it is stored under. */
export interface NamedPack {
  name: string;
  pack: Uint8Array;
}

/** Explains in a whole sentence why a file is refused. */
export class Refused extends Error {}

interface Published {
  meta: {
    family?: string;
    message_overhead?: number;
    fold_quotes?: boolean;
    allcaps_min?: number | null;
    frame_bow?: boolean | null;
    frame_tail?: string | null;
  };
  tokens: Record<string, Record<string, unknown>>;
}

const marks: Record<string, string> = { bow: '\xf8', eow: '\xf9', shift: '\xfa', caps: '\xfb' };
const begin = 0xf8;
const end = 0xf9;
const longest = 255;
const most = 1 << 16;

// The classes of characters in the tables of marked packs, as core/token/internal/tiles numbers them.
const spaces = [0, 1];
const digits = [11, 12];
const others = [13, 14, 16, 17];
const alone = [15, 18];
const symbol = 0x20;

const isTable = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Reports whether a JSON text has groups of pieces and is not a tokenizer.json. */
export function isPublished(file: unknown): file is Published {
  return isTable(file) && isTable(file.meta) && isTable(file.tokens) && file.model === undefined;
}

/** Returns the packs for all families of Claude that use these pieces; throws Refused if the file is invalid. */
export function packsOf(file: Published, tables: Uint8Array): NamedPack[] {
  const m = file.meta;
  const whole = (n: unknown, top: number): n is number =>
    Number.isInteger(n) && (n as number) >= 0 && (n as number) <= top;
  const caps = m.allcaps_min ?? 0;
  if (!whole(m.message_overhead, 1000) || !whole(caps, longest) || typeof m.fold_quotes !== 'boolean')
    throw new Refused('its meta must have message_overhead, allcaps_min and fold_quotes');
  const tail = m.frame_tail ?? 'ladder';
  if (tail !== 'ladder' && tail !== 'free') throw new Refused(`its meta has the frame_tail ${tail}`);
  const composition = new DataView(tables.buffer, tables.byteOffset).getUint32(0, true) + 4;
  const frame = (overhead: number, open: boolean, lines: boolean) =>
    made(tables.subarray(4, composition), tables.subarray(composition), pieces, {
      flags: Number(m.fold_quotes) | (Number(open) << 1) | (Number(lines) << 2),
      caps,
      overhead,
    });
  const pieces = piecesOf(file.tokens, classesOf(tables.subarray(composition)));
  const own = frame(m.message_overhead, m.frame_bow ?? true, tail === 'ladder');
  switch (m.family) {
    case 'v3':
      return [own('claude-v3')];
    case 'v4.7':
      return [own('claude-v47'), frame(6, false, false)('claude-v5')];
  }
  throw new Refused(`its family is ${m.family}; expected v3 or v4.7`);
}

/** Returns all pieces, sorted by their bytes. */
function piecesOf(groups: Published['tokens'], classes: Uint8Array): string[] {
  const there = new Set<string>();
  for (const [group, pieces] of Object.entries(groups)) {
    if (!isTable(pieces)) throw new Refused(`its group ${group} has no pieces`);
    for (const written of Object.keys(pieces)) {
      const piece = group === 'bytes_fallback' ? bytePrefix(written) : markedPiece(written, classes);
      there.add(piece);
      if (group === 'contractions') there.add(piece + marks.eow);
    }
  }
  if (there.size === 0 || there.size > most) throw new Refused(`it has ${there.size} pieces`);
  return [...there].sort((a, b) => (a < b ? -1 : 1));
}

/** Returns the bytes of a prefix of some character's UTF-8 sequence; throws Refused for anything else. */
function bytePrefix(written: string): string {
  const bytes = /^(?:[0-9a-fA-F]{2}){1,3}$/.test(written) ? written.match(/../g)!.map((h) => parseInt(h, 16)) : [];
  const [first = 0, ...rest] = bytes;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  // Bytes that cannot continue as UTF-8 are an error of their own in Go, and therefore not a prefix.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const follows = rest.every((b, i) => (i === 0 ? b >= low && b <= high : b >= 0x80 && b <= 0xbf));
  if (first < 0xc2 || first > 0xf4 || bytes.length >= length || !follows)
    throw new Refused(`its piece ${written} does not start with the first byte of a character`);
  return String.fromCharCode(...bytes);
}

const encoder = new TextEncoder();
const bytesOf = (text: string): string => String.fromCharCode(...encoder.encode(text));

/**
 * Returns a piece with one byte for each of its marks. A piece that crosses a boundary where text is cut is refused.
 */
function markedPiece(written: string, classes: Uint8Array): string {
  const refuse = (why: string) => new Refused(`its piece ${JSON.stringify(written)} ${why}`);
  let out = '';
  for (const part of written.split(/(⟨[^⟩]*⟩)/u)) {
    if (!/^⟨.*⟩$/su.test(part)) {
      if (part.includes('⟨')) throw refuse('has a mark that is not known');
      out += bytesOf(part);
      continue;
    }
    const name = part.slice(1, -1);
    const byte = /^0x[0-9a-fA-F]{2}$/.test(name) ? parseInt(name, 16) : begin;
    const atom = marks[name] ?? (byte < begin ? String.fromCharCode(byte) : undefined);
    if (atom === undefined) throw refuse('has a mark that is not known');
    out += atom;
  }
  if (out.length === 0 || out.length > longest) throw refuse(`is empty or longer than ${longest} bytes`);
  const why = crosses(out, classes);
  if (why) throw refuse(why);
  return out;
}

enum Part {
  Space = 1,
  Word = 2,
  Digits = 4,
  Other = 8,
  Alone = 16,
}

function partOf(c: number, classes: Uint8Array): Part {
  const kind = c < classes.length ? classes[c]! & ~symbol : alone[0]!;
  if (alone.includes(kind)) return Part.Alone;
  if (spaces.includes(kind)) return Part.Space;
  if (digits.includes(kind)) return Part.Digits;
  return others.includes(kind) ? Part.Other : Part.Word;
}

/** Returns why a piece would extend across parts of the text that are counted separately; empty if it does not. */
function crosses(piece: string, classes: Uint8Array): string {
  let groups = 0;
  let characters = 0;
  let begun = false;
  let ended = false;
  for (let i = 0; i < piece.length; ) {
    if (ended) return 'continues after an end mark';
    const b = piece.charCodeAt(i);
    if (b >= begin) {
      i++;
      if (b === end) ended = true;
      else if (b === begin) {
        if (characters > 0 || begun) return 'has a begin mark that is not at its beginning';
        begun = true;
      } else if (i > 1) return 'has a mark of capitals that is not at its beginning';
      continue;
    }
    const size = b < 0x80 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
    const c = character(piece.slice(i, i + size));
    if (c === undefined) return 'is not UTF-8';
    const group = partOf(c, classes);
    if (group === Part.Word && groups === Part.Other && characters === 1 && piece[0] === "'") groups = 0; // a contraction
    groups |= group;
    characters++;
    i += size;
  }
  if (groups & (groups - 1)) return 'joins text that is counted separately';
  if (groups === Part.Alone && (characters > 1 || begun || ended)) return 'joins characters that are tiled separately';
  if (groups === Part.Space && (begun || ended)) return 'has marks at white space';
  return '';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function character(bytes: string): number | undefined {
  try {
    return decoder.decode(Uint8Array.from(bytes, (b) => b.charCodeAt(0))).codePointAt(0);
  } catch {
    return undefined;
  }
}

/** Returns the classes of the characters of the basic plane, decoded from runs. */
function classesOf(tables: Uint8Array): Uint8Array {
  const classes = new Uint8Array(1 << 16);
  let at = 0;
  const number = () => {
    let n = 0;
    for (let shift = 0; ; shift += 7) {
      const b = tables[at++]!;
      n |= (b & 0x7f) << shift;
      if (b < 0x80) return n;
    }
  };
  for (let c = 0; c < classes.length; ) {
    const run = number();
    classes.fill(number(), c, c + run);
    c += run;
  }
  return classes;
}

/** Returns a function that builds the pack of these pieces for a name. */
function made(
  composition: Uint8Array,
  tables: Uint8Array,
  pieces: string[],
  set: { flags: number; caps: number; overhead: number },
): (name: string) => NamedPack {
  return (name) => {
    const text = (s: string) => [...number(s.length), ...encoder.encode(s)];
    const shared: number[] = [];
    const more: number[] = [];
    const rest: string[] = [];
    let last = '';
    for (const piece of pieces) {
      let n = 0;
      while (n < piece.length && n < last.length && piece[n] === last[n]) n++;
      shared.push(n);
      more.push(piece.length - n);
      rest.push(piece.slice(n));
      last = piece;
    }
    const pack = joined([
      [...encoder.encode('ctxvocab'), 1, ...text(name), ...text('marked'), ...text('nfc'), 0, 0, 0, 0],
      composition,
      [2, set.flags, ...number(set.caps), ...number(set.overhead)],
      tables,
      number(pieces.length),
      shared,
      more,
      Uint8Array.from(rest.join(''), (b) => b.charCodeAt(0)),
      [0, 0, 0, 0],
    ]);
    new DataView(pack.buffer).setUint32(pack.length - 4, crc32(pack.subarray(0, pack.length - 4)), true);
    return { name, pack };
  };
}

/** Encodes a number in groups of seven bits, the lowest first. */
function number(n: number): number[] {
  const out = [];
  for (; n >= 0x80; n >>>= 7) out.push((n & 0x7f) | 0x80);
  return [...out, n];
}

function joined(parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const b of bytes) {
    crc ^= b;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
