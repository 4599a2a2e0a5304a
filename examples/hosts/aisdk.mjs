// A chat program with the AI SDK, twenty turns against a local server: `npm install`, then `node aisdk.mjs`.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { load } from '../../wasm/js/ctx.js';
import { log, question, report, serve, summary } from './server.mjs';

const file = (path) => new URL(`../../${path}`, import.meta.url);
const predicted = [];
const show = (reading) => reading;
const expect = ({ used }) => predicted.push(used);

// <recipe>
const core = await load(file('wasm/js/ctx.wasm'), { vocabularies: (name) => file(`internal/assets/${name}.ctxv`) });
await core.call('ctx/session/open', { id: 'chat', limits: { window: 32_000 }, rule: { percent: 80 } });
const meter = {
  async prepareStep({ messages }) {
    expect(await core.call('ctx/session/messages', { id: 'chat', messages }));
    return {};
  },
  async onStepFinish({ usage }) {
    show(await core.call('ctx/session/usage', { id: 'chat', usage }));
  },
};
// </recipe>

const server = await serve();
const model = createOpenAICompatible({ name: 'local', baseURL: server.url, apiKey: 'none' })('local');
const tools = {
  log: tool({ description: 'Reads the log of a test.', inputSchema: z.object({ test: z.number() }), execute: log }),
};
let messages = [];
for (let turn = 1; turn <= 20; turn++) {
  messages.push({ role: 'user', content: question(turn) });
  const { response } = await generateText({ model, tools, messages, stopWhen: stepCountIs(5), ...meter });
  messages.push(...response.messages);
  if (turn === 12) messages = [{ role: 'user', content: summary }, ...messages.slice(-4)];
}
server.close();
report('AI SDK', predicted, server.actual);
