// A chat program with LangChain, twenty turns against a local server: `npm install`, then `node langchain.mjs`.
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
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
  async handleChatModelStart(_, [messages]) {
    expect(await core.call('ctx/session/messages', { id: 'chat', messages }));
  },
  async handleLLMEnd({ generations: [[{ message }]] }) {
    show(await core.call('ctx/session/usage', { id: 'chat', usage: message.usage_metadata }));
  },
};
// </recipe>

const server = await serve();
const reader = tool(log, {
  name: 'log',
  description: 'Reads the log of a test.',
  schema: z.object({ test: z.number() }),
});
const settings = { model: 'local', apiKey: 'none', configuration: { baseURL: server.url }, callbacks: [meter] };
const model = new ChatOpenAI(settings).bindTools([reader]);
let messages = [];
for (let turn = 1; turn <= 20; turn++) {
  messages.push(new HumanMessage(question(turn)));
  for (;;) {
    const answer = await model.invoke(messages);
    messages.push(answer);
    if (answer.tool_calls.length === 0) break;
    for (const call of answer.tool_calls) {
      messages.push(
        new ToolMessage({ content: await reader.invoke(call.args), tool_call_id: call.id, name: call.name }),
      );
    }
  }
  if (turn === 12) messages = [new HumanMessage(summary), ...messages.slice(-4)];
}
server.close();
report('LangChain', predicted, server.actual);
