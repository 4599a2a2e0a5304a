// Copyright The ctx-lsp authors. MIT licence.

// Makes the font of the product icons that the manifest contributes: rings, which show how full a window is in tenths,
// and bars of five cells. `node icons.mjs [FILE]` writes dist/icons.woff, and `--svg DIRECTORY` each icon as SVG.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import opentype from 'opentype.js';

/** The size of an icon in units of the font; an editor draws it 16 pixels wide. */
const em = 1024;
const pixel = em / 16;
const middle = em / 2;

/** The first code of each kind, in a private area. */
const codes = { ring: 0xe100, bar: 0xe200 };

/** Every icon: its name, its code, and its outline as a list of commands, with y upwards. */
export const icons = [
  ...Array.from({ length: 11 }, (_, tenths) => ({
    name: `ctx-ring-${tenths}`,
    code: codes.ring + tenths,
    outline: ring(tenths / 10),
  })),
  ...Array.from({ length: 6 }, (_, full) => ({ name: `ctx-bar-${full}`, code: codes.bar + full, outline: bar(full) })),
];

/** A ring: a thin circle, and in it from the top clockwise the used share. */
function ring(share) {
  const outer = 7 * pixel;
  const thin = 1.15 * pixel;
  const thick = 3.6 * pixel;
  const whole = [...circle(outer, true), ...circle(outer - thin, false)];
  if (share === 0) {
    return whole;
  }
  if (share === 1) {
    return [...circle(outer, true), ...circle(outer - thick, false)];
  }
  // The arc begins inside the thin circle, so that outlines do not overlap.
  const from = outer - thin + pixel / 16;
  const to = outer - thick;
  const end = 2 * Math.PI * share;
  return [
    ...whole,
    { type: 'M', ...at(from, 0) },
    ...arc(from, 0, end),
    { type: 'L', ...at(to, end) },
    ...arc(to, end, 0),
    { type: 'Z' },
  ];
}

/** Five cells side by side; those that are not full are a line at the bottom. */
function bar(full) {
  return Array.from({ length: 5 }, (_, i) => {
    const left = (1 + 3 * i) * pixel;
    const bottom = 3 * pixel;
    const top = i < full ? 13 * pixel : bottom + 1.5 * pixel;
    return rectangle(left, bottom, left + 2 * pixel, top);
  }).flat();
}

/** The point at an angle, which is measured clockwise from the top. */
function at(radius, angle) {
  return { x: Math.round(middle + radius * Math.sin(angle)), y: Math.round(middle + radius * Math.cos(angle)) };
}

/** An arc as cubic curves, each of at most an eighth of a circle. */
function arc(radius, from, to) {
  const steps = Math.max(1, Math.ceil(Math.abs(to - from) / (Math.PI / 4)));
  const step = (to - from) / steps;
  const handle = (4 / 3) * Math.tan(step / 4) * radius;
  return Array.from({ length: steps }, (_, i) => {
    const [a, b] = [from + i * step, from + (i + 1) * step];
    const [start, end] = [at(radius, a), at(radius, b)];
    return {
      type: 'C',
      x1: Math.round(start.x + handle * Math.cos(a)),
      y1: Math.round(start.y - handle * Math.sin(a)),
      x2: Math.round(end.x - handle * Math.cos(b)),
      y2: Math.round(end.y + handle * Math.sin(b)),
      ...end,
    };
  });
}

/** A circle; one that runs the other way round cuts a hole. */
function circle(radius, clockwise) {
  return [{ type: 'M', ...at(radius, 0) }, ...arc(radius, 0, clockwise ? 2 * Math.PI : -2 * Math.PI), { type: 'Z' }];
}

function rectangle(left, bottom, right, top) {
  return [
    { type: 'M', x: left, y: bottom },
    { type: 'L', x: left, y: top },
    { type: 'L', x: right, y: top },
    { type: 'L', x: right, y: bottom },
    { type: 'Z' },
  ];
}

/** The font with these icons, as WOFF. */
export function font() {
  const glyph = (name, unicode, commands) => {
    const outline = new opentype.Path();
    outline.commands = commands;
    return new opentype.Glyph({ name, ...(unicode && { unicode }), advanceWidth: em, path: outline });
  };
  const made = new opentype.Font({
    familyName: 'ctx-icons',
    styleName: 'Regular',
    unitsPerEm: em,
    ascender: em,
    descender: 0,
    glyphs: [glyph('.notdef', 0, []), ...icons.map(({ name, code, outline }) => glyph(name, code, outline))],
  });
  return woff(withoutTimes(Buffer.from(made.toArrayBuffer())));
}

/** Takes the times out of a font, so that the same icons are the same file, and corrects its checksums. */
function withoutTimes(sfnt) {
  const sum = (data) => {
    let all = 0;
    for (let i = 0; i + 4 <= data.length; i += 4) {
      all = (all + data.readUInt32BE(i)) >>> 0;
    }
    return all;
  };
  let entry = 12;
  while (sfnt.toString('latin1', entry, entry + 4) !== 'head') {
    entry += 16;
  }
  const head = sfnt.readUInt32BE(entry + 8);
  sfnt.writeUInt32BE(0, head + 8); // the checksum of the file
  sfnt.fill(0, head + 20, head + 36); // when it was created and modified
  sfnt.writeUInt32BE(sum(sfnt.subarray(head, head + 56)), entry + 4); // the table has 54 bytes, padded
  sfnt.writeUInt32BE((0xb1b0afba - sum(sfnt)) >>> 0, head + 8);
  return sfnt;
}

/** Packs a font as WOFF 1: the same tables, each compressed. */
function woff(sfnt) {
  const count = sfnt.readUInt16BE(4);
  const header = Buffer.alloc(44 + 20 * count);
  const parts = [header];
  let offset = header.length;
  for (let i = 0; i < count; i++) {
    const entry = sfnt.subarray(12 + 16 * i, 28 + 16 * i);
    const length = entry.readUInt32BE(12);
    const table = sfnt.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + length);
    const deflated = deflateSync(table, { level: 9 });
    const data = deflated.length < length ? deflated : table;
    entry.copy(header, 44 + 20 * i, 0, 4);
    header.writeUInt32BE(offset, 48 + 20 * i);
    header.writeUInt32BE(data.length, 52 + 20 * i);
    header.writeUInt32BE(length, 56 + 20 * i);
    entry.copy(header, 60 + 20 * i, 4, 8);
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    parts.push(padded);
    offset += padded.length;
  }
  header.write('wOFF', 0, 'latin1');
  sfnt.copy(header, 4, 0, 4);
  header.writeUInt32BE(offset, 8);
  header.writeUInt16BE(count, 12);
  const whole = Array.from({ length: count }, (_, i) => (sfnt.readUInt32BE(24 + 16 * i) + 3) & ~3);
  header.writeUInt32BE(
    whole.reduce((sum, length) => sum + length, 12 + 16 * count),
    16,
  );
  return Buffer.concat(parts);
}

/** An icon as SVG. */
function svg({ outline }) {
  const d = outline
    .map(({ type, x1, y1, x2, y2, x, y }) =>
      type === 'Z' ? 'Z' : `${type}${[x1, y1, x2, y2, x, y].filter((n) => n !== undefined).join(' ')}`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${em} ${em}"><path transform="matrix(1 0 0 -1 0 ${em})" d="${d}"/></svg>\n`;
}

if (process.argv[1]?.endsWith('icons.mjs')) {
  const [where, folder] = process.argv.slice(2);
  if (where === '--svg') {
    mkdirSync(folder, { recursive: true });
    for (const icon of icons) {
      writeFileSync(path.join(folder, `${icon.name}.svg`), svg(icon));
    }
  } else {
    const file = where ?? 'dist/icons.woff';
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, font());
  }
}
