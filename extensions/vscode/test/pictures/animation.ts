// Copyright The ctx-lsp authors. MIT licence.

/** One part of a PNG file. */
interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Makes one animated PNG, which repeats, of pictures of the same size and form. Every browser shows it, with all
 * colours of the pictures, and a program that knows no animations shows the first of them.
 */
export function animated(pictures: readonly { readonly png: Buffer; readonly ms: number }[]): Buffer {
  const [first] = pictures;
  const head = first && chunksOf(first.png).find((c) => c.type === 'IHDR');
  if (head === undefined) {
    throw new Error('an animation needs a picture');
  }
  const control = Buffer.alloc(8);
  control.writeUInt32BE(pictures.length, 0);
  const out = [head, { type: 'acTL', data: control }];
  let sequence = 0;
  for (const [i, { png, ms }] of pictures.entries()) {
    const own = chunksOf(png);
    if (!own.find((c) => c.type === 'IHDR')?.data.equals(head.data)) {
      throw new Error(`picture ${i} has another size or form than the first`);
    }
    out.push({ type: 'fcTL', data: frame(sequence++, head.data, ms) });
    for (const { data } of own.filter((c) => c.type === 'IDAT')) {
      if (i === 0) {
        out.push({ type: 'IDAT', data });
      } else {
        const number = Buffer.alloc(4);
        number.writeUInt32BE(sequence++, 0);
        out.push({ type: 'fdAT', data: Buffer.concat([number, data]) });
      }
    }
  }
  out.push({ type: 'IEND', data: Buffer.alloc(0) });
  return Buffer.concat([signature, ...out.map(written)]);
}

/** A frame that fills the picture and stands for so long. */
function frame(sequence: number, head: Buffer, ms: number): Buffer {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(sequence, 0);
  head.copy(data, 4, 0, 8); // width and height
  data.writeUInt16BE(ms, 20);
  data.writeUInt16BE(1000, 22);
  return data;
}

function chunksOf(png: Buffer): Chunk[] {
  const found: Chunk[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function written({ type, data }: Chunk): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(checksum(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/** The checksum of PNG, CRC-32. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
  }
  return (sum ^ 0xffffffff) >>> 0;
}
