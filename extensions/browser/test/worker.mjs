// Copyright The ctx-lsp authors. MIT licence.

// The worker of the test builds: the real one, and the conformance vectors on a core of the same kind beside it.
import '../src/worker/worker.ts';
import { load } from '../../../wasm/js/ctx.js';
import { readSums, runFile } from '../../../wasm/js/vectors.mjs';

// The question of the plan is answered: the tests are about the model's own window where they do not say otherwise.
void chrome.storage.local.get('settings').then(({ settings }) => {
  const plans = { chatgpt: 'model', claude: 'model', gemini: 'model' };
  // Only the shown messages exist, so that small texts can be compared exactly.
  const sites = Object.fromEntries(['chatgpt', 'claude', 'gemini'].map((id) => [id, { unseen: null }]));
  if (!settings) return chrome.storage.local.set({ settings: { plans }, sites });
});

chrome.runtime.onMessage.addListener((m, sender, respond) => {
  if (m?.type === 'shown') {
    void chrome.tabs.sendMessage(sender.tab.id, { type: 'show' }).then(respond, () => respond(null));
    return true;
  }
  if (m?.type !== 'conformance') return false;
  void run().then(respond, (e) => respond({ passed: 0, failures: [String(e?.stack ?? e)] }));
  return true;
});

async function run() {
  const get = (name) => fetch(chrome.runtime.getURL(name));
  const module = await WebAssembly.compile(await (await get('ctx.wasm')).arrayBuffer());
  const packs = new Map();
  const vocabularies = async (name) => {
    if (!packs.has(name)) packs.set(name, new Uint8Array(await (await get(`packs/${name}.ctxv`)).arrayBuffer()));
    return packs.get(name);
  };
  const { vectors, sums } = await (await get('vectors.json')).json();
  const known = readSums(sums);
  let passed = 0;
  const failures = [];
  for (const [name, file] of Object.entries(vectors)) {
    for (const { vector, why } of await runFile(name, file, known, () => load(module, { vocabularies }))) {
      if (why) failures.push(`${vector}: ${why}`);
      else passed++;
    }
  }
  return { passed, failures };
}
