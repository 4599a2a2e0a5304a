// Copyright The ctx-lsp authors. MIT licence.

// The core in a separate thread: the page stays responsive while a file of 100 MB is read. At its start, it loads the
// module and the vocabularies from its own directory, and nothing after that.

import { load } from './core/ctx.js';
import { readFiles, Unreadable } from './transcript.js';

const beside = (name) => new URL(`./core/${name}`, import.meta.url);
const names = ['o200k', 'cl100k', 'p50k', 'r50k'];
let core;

async function start() {
  const packs = Promise.all(
    names.map(async (name) => {
      const response = await fetch(beside(`${name}.ctxv`));
      if (!response.ok) throw new Error(`${name}.ctxv: ${response.status} ${response.statusText}`);
      return [name, new Uint8Array(await response.arrayBuffer())];
    }),
  );
  core = await load(beside('ctx.wasm'), { vocabularies: Object.fromEntries(await packs) });
}

/** Reads files and returns everything that the page shows about the session. */
async function show(files) {
  let reported = 0;
  const feed = await readFiles(core, 'dropped', files, (share) => {
    if (Date.now() - reported > 100) {
      reported = Date.now();
      postMessage({ progress: share });
    }
  });
  const reading = await core.call('ctx/session/reading', { id: 'dropped' });
  const history = await core.call('ctx/session/history', { id: 'dropped', points: 2000 });
  return { reading, history, records: feed.records, skipped: feed.skipped };
}

async function answer({ files, text, model }) {
  if (!files) return core.count(text, { model });
  try {
    return await show(files);
  } finally {
    if (!core.dead) await core.call('ctx/session/close', { id: 'dropped' }).catch(() => {}); // it may not have been opened
  }
}

// Requests run one after the other: a session is read completely before the next one.
let queue = start().then(
  () => postMessage({ ready: true }),
  (cause) => postMessage({ failed: `The core could not be loaded: ${cause.message}. Reload this page.` }),
);

addEventListener('message', ({ data }) => {
  queue = queue.then(async () => {
    try {
      postMessage({ id: data.id, answer: await answer(data) });
    } catch (cause) {
      const unreadable = cause instanceof Unreadable;
      postMessage({
        id: data.id,
        fault: cause.message,
        dead: !core || core.dead,
        unexpected: !unreadable,
      });
    }
  });
});
