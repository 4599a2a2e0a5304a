// Copyright The ctx-lsp authors. MIT licence.

// Makes PNG images of ours.
import { crc32, deflateSync } from 'node:zlib';

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Returns a PNG of this size, a gradient. */
export function picture(width, height) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8); // 8 bits, RGB
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0, at = 0; y < height; y++) {
    at++; // no filter
    for (let x = 0; x < width; x++) at = rows.set([x & 255, y & 255, (x + y) & 255], at) ?? at + 3;
  }
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the width and height of a PNG in Base64, undefined if it is none. */
export function sizeOfPicture(base64) {
  const head = Buffer.from(base64.slice(0, 64), 'base64');
  return head.subarray(1, 4).toString() === 'PNG' ? [head.readUInt32BE(16), head.readUInt32BE(20)] : undefined;
}
