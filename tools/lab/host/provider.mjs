// Copyright The ctx-lsp authors. MIT licence.

// A scripted provider on this machine, for the agents that VS Code's Agent Host runs. It serves the user record and the
// models of the Copilot API, and answers by three interfaces: Chat Completions, Responses and Messages, a model for
// each. A prompt that contains `read NAME` is answered with a call of the tool that views files, everything else with a
// text. Tokens are a quarter of the request's bytes, and the cache has what the request before it had.
import http from 'node:http';

/** The limits of all models: the window, and the lower limit of the prompt, which decides when the agent compacts. */
export const limits = { window: 1_000_000, prompt: 128_000, output: 16_000 };

/** Where each interface is asked. */
const models = { chat: '/chat/completions', responses: '/responses', messages: '/v1/messages' };

// Each agent only takes the models of its own vendor, by names that it knows how to read.
export const modelOf = { chat: 'lab-chat', responses: 'gpt-5.5', messages: 'claude-sonnet-4.6' };
const vendorOf = { chat: 'lab', responses: 'OpenAI', messages: 'Anthropic' };

/** Starts the provider. `requests` lists what it was asked, with the usage that it reported. */
export async function startProvider() {
  const requests = [];
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url.split('?')[0];
      const api = Object.keys(models).find((name) => url.endsWith(models[name]));
      if (api && request.method === 'POST') {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        const prompt = Math.round(chunks.reduce((sum, chunk) => sum + chunk.length, 0) / 4);
        const before = requests.findLast((earlier) => earlier.api === api && earlier.prompt < prompt);
        const counted = { prompt, cached: before?.prompt ?? 0, output: 30 };
        const id = `lab-${requests.length}`;
        const step = next(body);
        requests.push({ api, model: body.model, id, ...counted });
        return write[api](response, { id, body, step, counted });
      }
      const known = url.endsWith('/models')
        ? { object: 'list', data: [...Object.keys(models).map(described), namer()] }
        : { login: 'lab', copilot_plan: 'individual', chat_enabled: true, endpoints: { api: origin, proxy: origin } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(known));
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, requests, close: () => server.close() };
}

function described(api) {
  return {
    id: modelOf[api],
    name: `Lab ${api}`,
    object: 'model',
    vendor: vendorOf[api],
    version: '1',
    model_picker_enabled: true,
    policy: { state: 'enabled' },
    supported_endpoints: [models[api]],
    billing: { is_premium: false, multiplier: 0 },
    capabilities: {
      family: `lab-${api}`,
      type: 'chat',
      object: 'model_capabilities',
      tokenizer: 'o200k_base',
      limits: {
        max_context_window_tokens: limits.window,
        max_prompt_tokens: limits.prompt,
        max_output_tokens: limits.output,
      },
      supports: { streaming: true, tool_calls: true, parallel_tool_calls: true },
    },
  };
}

/** The model that the host asks to name its sessions. */
function namer() {
  const { capabilities, ...of } = described('chat');
  const id = 'gpt-4o-mini';
  return {
    ...of,
    id,
    name: id,
    vendor: 'OpenAI',
    model_picker_enabled: false,
    capabilities: { ...capabilities, family: id },
  };
}

/** The name that this model gives to each. */
export const title = 'What a file lacks';

/** Returns the next step of a conversation: the file to view, or a text. The user's last message is the script. */
function next(body) {
  if (body.model === 'gpt-4o-mini') return { text: title };
  const items =
    body.messages ?? (typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input);
  const results = (item) =>
    item.role === 'tool' || item.type === 'function_call_output'
      ? 1
      : Array.isArray(item.content)
        ? item.content.filter((part) => part.type === 'tool_result').length
        : 0;
  const asked = items.findLastIndex((item) => item.role === 'user' && results(item) === 0);
  const files = [...JSON.stringify(items[asked]?.content ?? '').matchAll(/read ([\w./-]+)/g)].map((match) => match[1]);
  const done = items.slice(asked).reduce((sum, item) => sum + results(item), 0);
  const tools = (body.tools ?? []).map((tool) => tool.function?.name ?? tool.name);
  return tools.includes('view') && done < files.length
    ? { path: files[done] }
    : { text: `Answered after ${done} steps.` };
}

const write = {
  chat(response, { id, body, step, counted }) {
    const usage = {
      prompt_tokens: counted.prompt,
      completion_tokens: counted.output,
      total_tokens: counted.prompt + counted.output,
      prompt_tokens_details: { cached_tokens: counted.cached },
    };
    const call = {
      index: 0,
      id: `call-${id}`,
      type: 'function',
      function: { name: 'view', arguments: JSON.stringify({ path: step.path }) },
    };
    const delta = step.path
      ? { role: 'assistant', content: '', tool_calls: [call] }
      : { role: 'assistant', content: step.text };
    const finish_reason = step.path ? 'tool_calls' : 'stop';
    const base = { id, created: 1, model: body.model };
    if (!body.stream) {
      return whole(response, {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message: delta, finish_reason }],
        usage,
      });
    }
    events(response, [
      { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] },
      { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...base, object: 'chat.completion.chunk', choices: [], usage },
    ]);
  },

  responses(response, { id, body, step, counted }) {
    const usage = {
      input_tokens: counted.prompt,
      input_tokens_details: { cached_tokens: counted.cached },
      output_tokens: counted.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: counted.prompt + counted.output,
    };
    const item = step.path
      ? {
          type: 'function_call',
          id: `item-${id}`,
          call_id: `call-${id}`,
          name: 'view',
          arguments: JSON.stringify({ path: step.path }),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `item-${id}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: step.text, annotations: [] }],
        };
    const done = {
      id,
      object: 'response',
      created_at: 1,
      model: body.model,
      status: 'completed',
      output: [item],
      usage,
    };
    if (!body.stream) return whole(response, done);
    const begun = { ...done, status: 'in_progress', output: [], usage: null };
    events(response, [
      { type: 'response.created', sequence_number: 0, response: begun },
      {
        type: 'response.output_item.added',
        sequence_number: 1,
        output_index: 0,
        item: { ...item, status: 'in_progress', ...(step.path ? { arguments: '' } : { content: [] }) },
      },
      ...(step.path
        ? []
        : [
            {
              type: 'response.output_text.delta',
              sequence_number: 2,
              item_id: item.id,
              output_index: 0,
              content_index: 0,
              delta: step.text,
            },
          ]),
      { type: 'response.output_item.done', sequence_number: 3, output_index: 0, item },
      { type: 'response.completed', sequence_number: 4, response: done },
    ]);
  },

  messages(response, { id, body, step, counted }) {
    const usage = {
      input_tokens: counted.prompt - counted.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: counted.cached,
      output_tokens: counted.output,
    };
    const block = step.path
      ? { type: 'tool_use', id: `call-${id}`, name: 'view', input: { path: step.path } }
      : { type: 'text', text: step.text };
    const stop_reason = step.path ? 'tool_use' : 'end_turn';
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [block],
      stop_reason,
      stop_sequence: null,
      usage,
    };
    if (!body.stream) return whole(response, message);
    events(response, [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: step.path ? { ...block, input: {} } : { ...block, text: '' },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: step.path
          ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
          : { type: 'text_delta', text: step.text },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  },
};

function whole(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Streams events. As with a real provider, the answer takes a while. */
async function events(response, list) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) {
    await new Promise((later) => setTimeout(later, 60));
    response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(list[0].type ? '' : 'data: [DONE]\n\n');
}
