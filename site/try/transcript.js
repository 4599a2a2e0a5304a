// Copyright The ctx-lsp authors. MIT licence.

// Feeds a transcript to the core, in the same batches as the program. Files of lines are streamed; a document is one
// value and is read as a whole.

import { arrayOf, containerEnd, documentRecords, recordsOf, trim } from './cut.js';
import { notText } from './nottext.js';

/** The maximum size of one call, of one record, and of a line that may become short enough without its images. */
const maxBatch = 1 << 20;
const maxRecord = maxBatch - 4096;
const maxLine = 8 << 20;
/** The maximum size of a file of lines, and of a document, which must fit into memory. */
const maxFile = 2 ** 31;
const maxDocument = 64 << 20;
/** How many of the first records may be unrecognized before the file is rejected. */
const mostUnknown = 2000;

/** Documents that are meaningful only together. */
const taskFiles = ['ui_messages.json', 'api_conversation_history.json'];

const newline = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error with a message for the user who dropped the file. */
export class Unreadable extends Error {}

/**
 * Shortens base64 texts that are long enough to be images: an image counts by its size in pixels, which is at its
 * beginning.
 */
function withoutPictures(line) {
  const shorter = JSON.stringify(JSON.parse(decoder.decode(line)), (_, v) =>
    typeof v === 'string' &&
    v.length > 65536 &&
    /^[A-Za-z0-9+/=_-]*$/.test(v.slice(v.startsWith('data:') ? v.indexOf(',') + 1 : 0))
      ? v.slice(0, 49152)
      : v,
  );
  return encoder.encode(shorter);
}

/** Returns the value of a record; undefined if it is not JSON. */
function parsed(record) {
  try {
    return JSON.parse(decoder.decode(record));
  } catch {
    return undefined;
  }
}

/** A session in the core, fed record by record. */
class Feed {
  #batch = [];
  #size = 0;
  #line = 0;
  #unknown = [];
  records = 0;
  skipped = 0;

  constructor(core, id, agent) {
    this.core = core;
    this.id = id;
    this.agent = agent;
  }

  /** Adds a record, or the number of bytes of an unreadable one. `line` is 0 if it has no line number. */
  async add(record, line) {
    let bytes = record;
    if (typeof record !== 'number' && record.length > maxRecord) {
      try {
        bytes = withoutPictures(record);
      } catch {}
      if (bytes.length > maxRecord) bytes = record.length;
    }
    if (typeof bytes === 'number') {
      this.skipped++;
      bytes = encoder.encode(`{"skipped":${bytes}}`);
    }
    const follows = line === (this.#line === 0 ? 0 : this.#line + this.#batch.length);
    if (this.#batch.length > 0 && (!follows || this.#size + bytes.length + 1 > maxBatch)) await this.flush();
    if (this.#batch.length === 0) this.#line = line;
    this.#batch.push(bytes);
    this.#size += bytes.length + 1;
    this.records++;
  }

  async flush() {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    let line = this.#line;
    this.#batch = [];
    this.#size = 0;
    if (!this.agent) {
      await this.#recognise(batch);
      if (!this.agent) return;
    }
    if (this.#unknown.length > 0) {
      // Records before the first recognized one belong to the session too.
      batch.unshift(...this.#unknown.splice(0));
      line = 0;
    }
    if (!(await this.#send(batch, line))) {
      for (const [i, record] of batch.entries()) {
        const at = line === 0 ? 0 : line + i;
        if (await this.#send([record], at)) continue;
        this.skipped++;
        await this.#send([encoder.encode(`{"skipped":${record.length}}`)], at);
      }
    }
  }

  /** Determines the agent by passing the records to the core, one after the other. */
  async #recognise(batch) {
    for (const record of batch) {
      const { result } = JSON.parse(await this.#read('whose', [record], 0));
      const answer = result && JSON.parse(this.core.answerSync('ctx/session/reading', '{"id":"whose"}')).result;
      if (result) this.core.answerSync('ctx/session/close', '{"id":"whose"}');
      if (answer && answer.agent !== 'generic') {
        this.agent = answer.agent;
        return;
      }
    }
    this.#unknown.push(...batch);
    if (this.#unknown.length >= mostUnknown) throw this.nobody();
  }

  /** Returns the error for a file that cannot be read here. */
  nobody() {
    return new Unreadable(
      this.records === this.skipped || !this.#unknown.some((record) => parsed(record))
        ? 'This is not a transcript: it holds no JSON that can be read.'
        : 'This is not a transcript of an agent that is known here, although it holds JSON.',
    );
  }

  async #send(batch, line) {
    return !(await this.#read(this.id, batch, line, this.agent)).startsWith('{"error":');
  }

  /** Passes records to the core, and loads the vocabulary that they need. */
  async #read(id, batch, line, agent) {
    for (let asked; ; ) {
      const answer = this.#callRecords(id, batch, line, agent);
      if (!answer.startsWith('{"error":')) return answer;
      const { data } = JSON.parse(answer).error;
      if (data?.kind !== 'needs_vocabulary' || asked === data.name) return answer;
      asked = data.name;
      await this.core.call('ctx/count', { text: '', encoding: asked }).catch(() => {});
    }
  }

  #callRecords(id, batch, line, agent) {
    const head = { id, agent, open: true, reading: false, line: line || undefined };
    const start = encoder.encode(`${JSON.stringify(head).slice(0, -1)},"records":`);
    const records = arrayOf(batch);
    const params = new Uint8Array(start.length + records.length + 1);
    params.set(start);
    params.set(records, start.length);
    params[params.length - 1] = 0x7d;
    return this.core.answerSync('ctx/session/records', params);
  }
}

/** Reads files into a session of the core. `progress` is called with the share that has been read. */
export async function readFiles(core, id, files, progress) {
  if (files.length !== 1) throw new Unreadable('Drop one transcript at a time.');
  const [file] = files;
  if (taskFiles.includes(file.name)) {
    throw new Unreadable(
      'Cline, Roo Code and Kilo Code keep a task as a folder of documents. The program reads it as one, this page does not.',
    );
  }
  if (file.size === 0) throw new Unreadable('This file is empty, or a folder. Drop a transcript.');
  if (file.size > maxFile)
    throw new Unreadable('This file has more than 2 GB; no transcript has. The program reads it.');
  const head = new Uint8Array(await file.slice(0, 1 << 20).arrayBuffer());
  const reason = notText(head);
  if (reason) throw new Unreadable(reason);
  const feed = new Feed(core, id);
  await (isDocument(head, file) ? readDocument(feed, file) : readLines(feed, file, progress));
  await feed.flush();
  if (!feed.agent) throw feed.nobody();
  return feed;
}

/** Reports whether a file is one JSON value: an object that continues after its first line, or an array. */
function isDocument(head, file) {
  const text = trim(head[0] === 0xef ? head.subarray(3) : head);
  if (text[0] === 0x5b) return true;
  if (text[0] !== 0x7b) return false;
  const lineEnd = text.indexOf(newline);
  const first = lineEnd < 0 ? text : text.subarray(0, lineEnd);
  const end = containerEnd(first);
  if (end < 0) return /\.json$/i.test(file.name) || first.length < 3;
  return trim(text.subarray(end)).length === 0 && /\.json$/i.test(file.name);
}

async function wholeOf(file) {
  if (file.size > maxDocument) {
    throw new Unreadable(
      'This document has more than 64 MB, which is too much for a page. The program reads up to 128 MB.',
    );
  }
  return new Uint8Array(await file.arrayBuffer());
}

async function readDocument(feed, file) {
  for (const record of documentRecords(await wholeOf(file))) await feed.add(record, 0);
}

async function readLines(feed, file, progress) {
  const reader = file.stream().getReader();
  let rest = new Uint8Array(0); // the beginning of an incomplete line
  let [lost, line, read] = [0, 0, 0]; // lost: bytes of a line that is too long to keep
  const take = async (bytes) => {
    line++;
    if (lost > 0) {
      await feed.add(lost + bytes.length, line);
      lost = 0;
      return;
    }
    for (const [i, record] of recordsOf(line === 1 && bytes[0] === 0xef ? bytes.subarray(3) : bytes).entries()) {
      await feed.add(record, i === 0 ? line : 0);
    }
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let from = 0;
    for (let at = value.indexOf(newline); at >= 0; at = value.indexOf(newline, from)) {
      const piece = value.subarray(from, at);
      await take(rest.length === 0 ? piece : concat(rest, piece));
      rest = new Uint8Array(0);
      from = at + 1;
    }
    const tail = value.subarray(from);
    if (lost > 0 || rest.length + tail.length > maxLine) {
      lost += rest.length + tail.length;
      rest = new Uint8Array(0);
    } else if (tail.length > 0) {
      rest = rest.length === 0 ? tail.slice() : concat(rest, tail);
    }
    read += value.length;
    progress(read / file.size);
  }
  // A last object without a newline is used if it is complete; otherwise its writer has not finished it.
  const last = trim(rest);
  if (last.length > 0 && last[0] === 0x7b && containerEnd(last) === last.length) await take(last);
  else if (line === 0) await take(last);
}

function concat(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
