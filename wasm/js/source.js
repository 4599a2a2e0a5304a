// Copyright The ctx-lsp authors. MIT licence.

// Sources of bytes: a module or a vocabulary pack may be given as bytes, a Response, a Blob, a URL or a path.

/** The supported sources, for error messages. */
const known = 'bytes, an ArrayBuffer, a Response, a Blob, a URL or a path';

/**
 * Returns the bytes of a source, or a Response with them. In errors, `what` names the bytes, and `also` lists further
 * supported sources.
 */
export async function open(given, what, also) {
  const source = await given;
  if (typeof source === 'string' || isURL(source)) return opened(source, what);
  if (typeof Response !== 'undefined' && source instanceof Response) {
    const from = source.url ? ` from ${source.url}` : '';
    if (source.bodyUsed) throw new TypeError(`${what} cannot be read${from}: that Response was read before.`);
    if (source.ok) return source;
    const status = `${source.status} ${source.statusText}`.trim();
    throw new TypeError(`${what} could not be fetched${from}: ${status}.`);
  }
  if (typeof Blob !== 'undefined' && source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || isShared(source)) return new Uint8Array(source);
  const all = also ? `${known}, ${also}` : known;
  throw new TypeError(`${what} must be ${all}, or a promise of one of these, not ${nameOf(source)}.`);
}

/** Returns the bytes of a source. */
export async function bytes(given, what) {
  const source = await open(given, what);
  return source instanceof Uint8Array ? source : new Uint8Array(await source.arrayBuffer());
}

const isURL = (source) => typeof URL !== 'undefined' && source instanceof URL;
const isShared = (source) => typeof SharedArrayBuffer !== 'undefined' && source instanceof SharedArrayBuffer;

/** Reads a file if the host has files, and fetches everything else. */
async function opened(source, what) {
  const address = String(source);
  const remote = /^(https?|blob|data|[\w-]+-extension|vscode-[\w-]+):/i.test(address);
  const fs = remote ? undefined : globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (fs) {
    return fs.readFile(/^file:/i.test(address) ? new URL(address) : source).then(
      (read) => new Uint8Array(read.buffer, read.byteOffset, read.byteLength),
      (cause) => {
        throw new TypeError(`${what} could not be read from ${address}: ${cause.message}.`, { cause });
      },
    );
  }
  if (typeof fetch !== 'function')
    throw new TypeError(
      `${what} cannot be read from ${address}: there are no files and no fetch here; give its bytes.`,
    );
  const response = await fetch(source).catch((cause) => {
    throw new TypeError(`${what} could not be fetched from ${address}: ${cause.message}.`, { cause });
  });
  return open(response, what);
}

function nameOf(source) {
  if (source === null || source === undefined) return String(source);
  if (typeof source === 'function') return 'a function';
  const name = source.constructor?.name;
  return typeof source === 'object'
    ? `an object${name && name !== 'Object' ? ` of class ${name}` : ''}`
    : `a ${typeof source}`;
}
