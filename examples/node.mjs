// A status bar for a chat program in Node: `make wasm`, then `node examples/node.mjs`.
import { load } from '../wasm/js/ctx.js';

const file = (path) => new URL(`../${path}`, import.meta.url);
const core = await load(file('wasm/js/ctx.wasm'), { vocabularies: (name) => file(`internal/assets/${name}.ctxv`) });

await core.call('ctx/session/open', { id: 'chat', model: 'claude-sonnet-4-5', rule: { percent: 80 } });
let reading;
for (const input_tokens of [129_500, 132_000, 137_000, 141_000]) {
  await core.append('chat', { kind: 'user', text: 'Why does the build fail?' }); // before the request
  const usage = { input_tokens, output_tokens: 400 }; // after it: the provider's usage as it came
  reading = await core.call('ctx/session/usage', { id: 'chat', usage });
}
const { display, compaction } = reading;
console.log(`${display.number} · ${display.free} free · compacts at ${display.threshold} · ${compaction.hint.text}`);
// Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
