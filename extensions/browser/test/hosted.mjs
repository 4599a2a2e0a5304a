// Copyright The ctx-lsp authors. MIT licence.

import { same } from './expect.mjs';
import { load } from './source.mjs';

/** Tests the responses of self-hosted servers, and which of their data is used. */
export async function hostedAnswers({ test }) {
  const { ResponseReader } = await load('traffic/responses.ts');
  const { presets } = await load('adapter/index.ts');
  const { siteOf } = await load('adapter/adapter.ts');
  const origin = 'http://192.168.7.5:8080';
  const readerOf = (id) => {
    const data = presets.find((p) => p.id === id);
    return new ResponseReader(data.answers, origin, (url) => siteOf(data).conversation(url));
  };
  const read = (id, path, body, more = {}) =>
    readerOf(id).read(
      {
        ctxLspResponse: {
          url: path.startsWith('http') ? path : origin + path,
          method: 'GET',
          status: 200,
          page: `${origin}/#/chat/c1`,
          body: typeof body === 'string' ? body : JSON.stringify(body),
          ...more,
        },
      },
      0,
    );
  const post = { method: 'POST' };
  const sse = (...events) => events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join('');
  const chat = (content) => ({ choices: [{ index: 0, delta: { content } }] });

  await test('llama.cpp: timings are the prompt it kept and the prompt it read, for the page that asked', () => {
    const body = sse(chat('Y'), chat('es.'), { ...chat(''), timings: { cache_n: 900, prompt_n: 100, predicted_n: 5 } });
    const facts = read('llama.cpp', '/v1/chat/completions', body, post);
    same(
      [facts.conversation, facts.usage, facts.measuredWith],
      ['c1', [{ provider: 'ctx', usage: { in: 1000, out: 5 } }], 'Yes.'],
    );
    const elsewhere = { ...post, page: 'https://evil.example/#/chat/c1' };
    same(read('llama.cpp', '/v1/chat/completions', body, elsewhere).usage, undefined, 'a page of another address');
    const unnamed = { ...post, page: `${origin}/#/` };
    same(read('llama.cpp', '/v1/chat/completions', body, unnamed).usage, undefined, 'a page without a conversation');
    const both = sse(chat('A'), {
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 1 },
      timings: { prompt_n: 2 },
    });
    same(read('llama.cpp', '/v1/chat/completions', both, post).usage[0].usage.prompt_tokens, 7, 'usage says it all');
  });
  await test('windows are those that models were loaded with, and not what they could have', () => {
    const window = (id, path, body) => read(id, path, body)?.windows;
    same(window('llama.cpp', '/props', { default_generation_settings: { n_ctx: 4096 } }), { '': 4096 }, 'props');
    same(
      window('llama.cpp', '/props?model=Qwen%2FQ4&autoload=false', { default_generation_settings: { n_ctx: 8192 } }),
      { 'qwen/q4': 8192 },
      'of one of several',
    );
    same(window('llama.cpp', '/props', { default_generation_settings: { n_ctx: 0 } }), undefined, 'none');
    const list = (m) => window('lm-studio', 'http://10.0.0.2:1234/api/v0/models', { data: [{ id: 'A', ...m }] });
    same(list({ max_context_length: 131072 }), {}, 'at most');
    same(list({ meta: { n_ctx_train: 131072 } }), {}, 'trained');
    same(list({ loaded_context_length: 4096, max_context_length: 131072 }), { a: 4096 }, 'loaded');
    same(list({ max_model_len: 32768 }), { a: 32768 }, 'vLLM');
    for (const odd of ['4096', -1, 1.5, 1e99, null, true]) same(list({ max_model_len: odd }), {}, String(odd));
  });
  await test('/v1/responses and LM Studio: the whole at the end takes the place of the pieces', () => {
    const output = [
      { type: 'reasoning', summary: [{ text: 'Hm.' }] },
      { type: 'function_call', name: 'search', arguments: '{}' },
      { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
    ];
    const body = sse(
      { type: 'response.output_text.delta', delta: 'Ye' },
      { type: 'response.completed', response: { model: 'm', output, usage: { input_tokens: 50, output_tokens: 9 } } },
    );
    const facts = read('lm-studio', 'http://10.0.0.2:1234/v1/responses', body, { ...post, page: `${origin}/talk` });
    same(
      facts.answer.items.map((i) => `${i.kind} ${i.text}`),
      ['reasoning Hm.', 'toolCalls search {}', 'assistant Yes.'],
    );
    same([facts.conversation, facts.usage[0].usage.input_tokens, facts.model], ['/talk', 50, 'm']);
    const end = sse({
      type: 'chat.end',
      result: {
        model_instance_id: 'm',
        output: [{ type: 'message', content: 'Yes.' }],
        stats: { input_tokens: 60, total_output_tokens: 3 },
      },
    });
    const own = read('lm-studio', 'http://10.0.0.2:1234/api/v1/chat', end, { ...post, page: `${origin}/talk` });
    same([own.answer.shown, own.usage[0].usage], ['Yes.', { input_tokens: 60, output_tokens: 3 }], 'LM Studio');
  });
  const history = (messages, currentId) => ({ id: 'c1', chat: { models: ['m'], history: { messages, currentId } } });
  await test('Open WebUI: the chosen branch, its reasoning, and the usage of its last answer', () => {
    const u = (prompt_tokens) => ({ prompt_tokens, completion_tokens: 4 });
    const messages = {
      a: { role: 'user', content: 'Why?', parentId: null, files: [{ type: 'file', name: 'x.pdf' }] },
      b: { role: 'assistant', content: 'Old.', parentId: 'a', usage: u(900) },
      c: {
        role: 'assistant',
        content: '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Hm.\n</details>\nNew.',
        parentId: 'a',
        usage: u(700),
      },
    };
    const facts = read('open-webui', '/api/v1/chats/c1', history(messages, 'c'));
    same([facts.usage, facts.measuredWith], [[{ provider: 'ctx', usage: { in: 700, out: 4 } }], 'New.'], 'usage');
    same(
      facts.loaded.messages.find((s) => s.id === 'c').items.map((i) => `${i.kind} ${i.text}`),
      ['reasoning > Hm.', 'assistant New.'],
    );
    same([facts.loaded.messages[0].files, facts.model], [1, 'm'], 'files');
    const asked = { ...messages, d: { role: 'user', content: 'And now?', parentId: 'c' } };
    same(read('open-webui', '/api/v1/chats/c1', history(asked, 'd')).usage, undefined, 'a question is not measured');
    same(read('open-webui', '/api/v1/chats/c2', history(messages, 'c')), null, 'of another conversation');
    const ollama = { ...messages.b, usage: { prompt_eval_count: 800, eval_count: 3 } };
    same(
      read('open-webui', '/api/v1/chats/c1', history({ ...messages, b: ollama }, 'b')).usage[0].usage,
      { in: 800, out: 3 },
      'Ollama',
    );
  });
  await test('LibreChat: the messages with their folded parts, and the end of a stream', () => {
    const m = (messageId, more) => ({ messageId, conversationId: 'c1', parentMessageId: null, text: '', ...more });
    const all = [
      m('a', { isCreatedByUser: true, text: 'Why?', files: [{ type: 'image/png' }, { type: 'text/plain' }] }),
      m('b', {
        content: [
          { type: 'think', think: 'Hm.' },
          { type: 'tool_call', tool_call: { name: 'search', args: { q: 'x' }, output: 'Found.' } },
          { type: 'text', text: { value: 'So.' } },
        ],
        model: 'local',
      }),
      m('c', { conversationId: 'other', text: 'of another one' }),
    ];
    const facts = read('librechat', '/api/messages/c1', all);
    same(facts.loaded.messages.length, 2, 'of one conversation');
    same(
      facts.loaded.messages[1].items.map((i) => `${i.kind} ${i.text}`),
      ['reasoning Hm.', 'toolCalls search {"q":"x"}', 'toolResults Found.', 'assistant So.'],
    );
    same([facts.loaded.messages[0].files, facts.loaded.messages[0].pictures, facts.model], [1, 1, 'local']);
    const body = sse(
      { created: true },
      { final: true, conversation: { conversationId: 'c1' }, responseMessage: all[1] },
    );
    same(read('librechat', '/api/agents/chat/stream/c1', body).answer.shown, 'So.', 'stream');
    same(read('librechat', '/api/agents/chat/stream/c2', body), null, 'of another conversation');
    same(read('librechat', '/api/messages/c1', { messages: all.slice(0, 2), nextCursor: 'x' }).loaded.whole, false);
  });
  await test('whatever these servers answer, nothing breaks (seeded)', () => {
    let seed = 22;
    const random = (n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed >>> 8) % n;
    };
    const odd = ['null', '[]', '{}', '-1', '"x"', '1e999', 'true', '[[[[]]]]', '{"a":{}}', '"__proto__"'];
    const whole = [
      [
        'open-webui',
        '/api/v1/chats/c1',
        JSON.stringify(history({ a: { role: 'assistant', content: 'x', usage: { prompt_tokens: 5 } } }, 'a')),
        'GET',
      ],
      [
        'librechat',
        '/api/messages/c1',
        JSON.stringify([{ messageId: 'a', conversationId: 'c1', content: [{ type: 'text', text: 'x' }] }]),
        'GET',
      ],
      [
        'llama.cpp',
        '/v1/chat/completions',
        sse({ model: 'm', ...chat('x'), usage: { prompt_tokens: 5 }, timings: { prompt_n: 5 } }),
        'POST',
      ],
      ['llama.cpp', '/v1/models', JSON.stringify({ data: [{ id: 'a', meta: { n_ctx: 4096 } }] }), 'GET'],
      [
        'lm-studio',
        '/v1/responses',
        sse({ response: { output: [{ type: 'message', content: [{ text: 'x' }] }], usage: { input_tokens: 1 } } }),
        'POST',
      ],
    ];
    for (let i = 0; i < 20_000; i++) {
      const [id, path, body, method] = whole[random(whole.length)];
      const at = random(body.length);
      const broken =
        random(2) === 0
          ? body.slice(0, at) + odd[random(odd.length)] + body.slice(at + random(20))
          : body.replace(/"[a-z_A-Z]+":(?:"[^"]*"|\d+|null)/g, (m) =>
              random(4) === 0 ? `${m.split(':')[0]}:${odd[random(odd.length)]}` : m,
            );
      const facts = read(id, path, broken, { method, page: `${origin}/talk#/chat/c1` });
      for (const tokens of Object.values(facts?.windows ?? {}))
        if (!(Number.isInteger(tokens) && tokens >= 256)) throw new Error(`seed 22, ${i}: a window of ${tokens}`);
    }
  });
}
