// Copyright The ctx-lsp authors. MIT licence.

import { chatgptTree, claudeTree, geminiFrames } from './answers.mjs';
import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

/** Tests the sites' own responses, and which of their data is used. */
export async function traffic({ test }) {
  const { ResponseReader } = await load('traffic/responses.ts');
  const { merged } = await load('traffic/merge.ts');
  const { known } = await load('adapter/index.ts');
  const site = (id) => known.find((s) => s.id === id);
  const readerOf = (id, host) => new ResponseReader(site(id).answers, `https://${host}`);
  const response = (url, body, more = {}) => ({
    ctxLspResponse: {
      url,
      method: 'GET',
      status: 200,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...more,
    },
  });
  const rows = (texts, first = 0) =>
    texts.map(([side, text], i) => ({
      key: String(first + i),
      ids: [],
      position: first + i,
      content: {
        items: [{ kind: side, text, digest: 0 }],
        files: 0,
        pictures: 0,
        reports: 0,
        side,
        unreadable: false,
      },
    }));
  const kinds = (items) => items.map((i) => `${i.kind} ${i.text}`);
  const talk = Array.from({ length: 30 }, (_, i) => [
    i % 2 ? 'assistant' : 'user',
    `Message number ${i} speaks of ${['apples', 'rivers', 'engines', 'music'][i % 4]} at length ${i * 7}`,
  ]);

  await test('claude.ai: a conversation is the chosen branch, with thinking, tools, results and attachments', () => {
    const tree = claudeTree('abc', talk, {
      1: { thinking: 'I ponder.', tool: ['artifacts', { content: 'An artifact.' }], result: 'Done.' },
      2: { attachment: ['notes.txt', 'The text of a file.'], file: true },
    });
    const facts = readerOf('claude', 'claude.ai').read(
      response(
        'https://claude.ai/api/organizations/o-1/chat_conversations/abc?tree=True&rendering_mode=messages',
        tree,
      ),
      0,
    );
    same(facts.conversation, 'abc');
    const whole = merged(facts.loaded, rows(talk.slice(24), 24), []);
    same([whole.turns, whole.files], [30, 1], 'turns, files');
    same(
      kinds(whole.items).slice(0, 8),
      [
        `user ${talk[0][1]}`,
        'reasoning I ponder.',
        'toolCalls artifacts {"content":"An artifact."}',
        'toolResults Done.',
        `assistant ${talk[1][1]}`,
        `user ${talk[2][1]}`,
        'user The text of a file.',
        `assistant ${talk[3][1]}`,
      ],
      'items',
    );
    same(whole.items.find((i) => i.file)?.file, 'notes.txt', 'its name');
  });
  await test('chatgpt.com: the branch is the one the page shows, with its hidden parts', () => {
    const { tree, ids } = chatgptTree('c-1', talk, { fork: 10, hidden: true });
    const facts = readerOf('chatgpt', 'chatgpt.com').read(
      response('https://chatgpt.com/backend-api/conversation/c-1', tree),
      0,
    );
    const shown = rows(talk.slice(26), 26).map((r, i) => ({ ...r, ids: [ids.main[26 + i]] }));
    const whole = merged(facts.loaded, shown, []);
    same(whole.turns, 30, 'the chosen branch');
    const list = kinds(whole.items);
    for (const hidden of ['memory Likes tea.', 'toolResults 42', 'reasoning Sums\nSix times seven.', 'toolCalls 6*7'])
      holds(list.includes(hidden), `${hidden} is missing`);
    const other = rows([talk[10], ['assistant', 'The other answer, of quite another kind.']], 10).map((r, i) => ({
      ...r,
      ids: [[ids.main[10], ids.other][i]],
    }));
    const branch = merged(facts.loaded, other, []);
    same(
      [branch.turns, kinds(branch.items).at(-1)],
      [12, 'assistant The other answer, of quite another kind.'],
      'other',
    );
  });
  await test('gemini.google.com: pages of ten turns, the newest first, and whether there are earlier ones', () => {
    const e = readerOf('gemini', 'gemini.google.com');
    const url = 'https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids=hNvQHb&source-path=%2Fapp%2Fab12';
    const facts = e.read(response(url, geminiFrames('ab12', talk.slice(10), 'older'), { method: 'POST' }), 0);
    same([facts.conversation, facts.loaded.messages.length, facts.loaded.whole], ['ab12', 20, false], 'later');
    same(
      facts.loaded.messages.map((s) => s.shown),
      talk.slice(10).map(([, t]) => t),
      'order',
    );
    const all = e.read(response(url, geminiFrames('ab12', talk, null), { method: 'POST' }), 0);
    same([all.loaded.messages.length, all.loaded.whole], [30, true], 'all');
  });
  await test('chat.deepseek.com: the count of the whole conversation is the largest, and belongs to the one asked for', () => {
    const e = readerOf('deepseek', 'chat.deepseek.com');
    const messages = talk.map(([side, content], i) => ({
      message_id: i + 1,
      parent_id: i === 0 ? null : i,
      role: side.toUpperCase(),
      content,
      accumulated_token_usage: i % 2 ? 100 * i : null,
    }));
    const history = {
      data: { biz_data: { chat_session: { id: 's-1', current_message_id: 30 }, chat_messages: messages } },
    };
    const facts = e.read(
      response('https://chat.deepseek.com/api/v0/chat/history_messages?chat_session_id=s-1&cache_version=1', history),
      0,
    );
    same(
      [facts.conversation, facts.usage],
      ['s-1', [{ provider: 'ctx', usage: { in: 2900, out: 0 }, whole: true }]],
      'history',
    );
    same(merged(facts.loaded, rows(talk.slice(26)), []).turns, 30, 'its branch');
    const stream = [
      { v: { response: { message_id: 32, accumulated_token_usage: 2900 } } },
      { v: 'Yes' },
      {
        p: 'response',
        o: 'BATCH',
        v: [
          { p: 'accumulated_token_usage', v: 3100 },
          { p: 'quasi_status', v: 'FINISHED' },
        ],
      },
    ]
      .map((d) => `data: ${JSON.stringify(d)}\n\n`)
      .join('');
    const request = JSON.stringify({ chat_session_id: 's-1', prompt: 'x' });
    const url = 'https://chat.deepseek.com/api/v0/chat/completion';
    const answered = e.read(response(url, stream, { method: 'POST', request }), 0);
    same([answered.conversation, answered.usage[0].usage.in], ['s-1', 3100], 'stream');
    same(e.read(response(url, stream, { method: 'POST' }), 0).usage, undefined, 'of no conversation');
  });
  await test('a streamed answer contains the parts that the page does not show', () => {
    const events = [
      { type: 'message_start', message: { usage: { input_tokens: 9 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'search', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"q":"x"}' } },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Yes, ' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'indeed.' } },
      { type: 'message_limit', message_limit: { windows: { '5h': { utilization: 0.42, resets_at: 1_780_000_000 } } } },
    ];
    const body = events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('');
    const url = 'https://claude.ai/api/organizations/o/chat_conversations/abc/completion';
    const facts = readerOf('claude', 'claude.ai').read(response(url, body, { method: 'POST' }), 0);
    same(kinds(facts.answer.items), ['reasoning Hm.', 'toolCalls search {"q":"x"}', 'assistant Yes, indeed.']);
    same(facts.limits, [{ window: '5h', used: 42, resets: 1_780_000_000_000 }], 'limits');
    const delta = [
      { type: 'resume_conversation_token' },
      { p: '', o: 'add', v: { message: message('m1', 'thoughts', { thoughts: [] }), conversation_id: 'c-9' } },
      { v: { message: message('m2', 'text', { parts: [''] }), conversation_id: 'c-9' } },
      { p: '/message/content/parts/0', o: 'append', v: 'The ' },
      { v: 'answer' },
      { p: '', o: 'patch', v: [{ p: '/message/content/parts/0', o: 'append', v: ' is 42.' }] },
    ];
    const stream = `event: delta_encoding\ndata: "v1"\n\n${delta.map((d) => `event: delta\ndata: ${JSON.stringify(d)}\n\n`).join('')}`;
    const gpt = readerOf('chatgpt', 'chatgpt.com').read(
      response('https://chatgpt.com/backend-api/f/conversation', stream, { method: 'POST' }),
      0,
    );
    same([gpt.conversation, kinds(gpt.answer.items)], ['c-9', ['assistant The answer is 42.']], 'ChatGPT');
  });
  await test('what no page shows has a least, a usual and a most size, with sources and a day', async () => {
    const { unseenItem, unseenSize } = await load('adapter/unseen.ts');
    const sizes = (id, mode, model) => {
      const size = unseenSize(site(id), mode, model);
      return size && [unseenItem(size, true).tokens, unseenItem(size, false).tokens, size.most];
    };
    same(sizes('claude', null, 'claude-opus-5'), [3_200, 22_000, 32_400], 'claude');
    same(sizes('chatgpt', 'instant', 'gpt-5.5'), [1_000, 4_500, 28_383], 'chatgpt');
    same(sizes('chatgpt', 'thinking', 'gpt-5-mini'), [1_000, 1_000, 28_383], 'by model');
    same(sizes('gemini', 'pro', ''), [0, 5_800, null], 'no source for the least and the most');
    same(sizes('deepseek', null, ''), null, 'no source');
    for (const { id, unseen } of known)
      if (unseen) {
        holds(/^20\d\d-\d\d-\d\d$/.test(unseen.asOf), `${id}: ${unseen.asOf}`);
        holds(unseen.sources.length > 0 && unseen.sources.every((s) => /^https:/.test(s)), `${id}: ${unseen.sources}`);
        holds(unseen.sizes.at(-1).model === '', `${id}: a model without a size`);
        for (const { least, usual, most } of unseen.sizes)
          holds(least <= usual && usual <= (most ?? Infinity), `${id}: ${least}, ${usual}, ${most}`);
      }
  });
  await test('what contradicts the visible text by more than a third is dropped', () => {
    const facts = (texts) =>
      readerOf('claude', 'claude.ai').read(
        response('https://claude.ai/api/organizations/o/chat_conversations/abc?tree=True', claudeTree('abc', texts)),
        0,
      ).loaded;
    const made = talk.map(([side], i) => [side, `Something else ${'entirely '.repeat(i + 3)}`]);
    same(merged(facts(made), rows(talk.slice(20), 20), []), null, 'another text');
    same(
      merged(facts(talk.map(([s, t]) => [s, `${t} ${'and more besides '.repeat(20)}`])), rows(talk), []),
      null,
      'more',
    );
    const half = talk.map(([s, t], i) => [s, i % 2 ? `never said ${i} ${'x '.repeat(20)}` : t]);
    same(merged(facts(half), rows(talk), []), null, 'every answer is another');
    const edited = [...talk.slice(0, 12), ['user', 'A question that was asked instead, about whales.']];
    const whole = merged(facts(talk), rows(edited.slice(6), 6), []);
    same([whole.turns, whole.items.at(-1).text], [13, edited[12][1]], 'an edit is a new branch, not a contradiction');
    const longer = [...talk, ['user', 'And what else is there?'], ['assistant', 'Nothing else.']];
    same(merged(facts(talk), rows(longer.slice(26), 26), []).turns, 32, 'what is newer follows');
  });
  await test('addresses, methods, origins and statuses that the site does not name yield nothing', () => {
    const e = readerOf('claude', 'claude.ai');
    const tree = claudeTree('abc', talk);
    const good = 'https://claude.ai/api/organizations/o/chat_conversations/abc?tree=True';
    let now = 0;
    const tells = (...args) => {
      now += 1100;
      return e.read(response(...args), now) !== null;
    };
    same(tells(good, tree), true, 'good');
    for (const [url, body, more] of [
      ['https://evil.example/api/organizations/o/chat_conversations/abc?tree=True', tree],
      ['https://claude.ai.evil.example/api/organizations/o/chat_conversations/abc?tree=True', tree],
      ['https://claude.ai/api/organizations/o/chat_conversations/abc', tree],
      [good, tree, { method: 'POST' }],
      [good, tree, { status: 500 }],
      [good.replace('abc', 'other'), tree],
      ['https://claude.ai/api/completion', 'data: {"usage":{"input_tokens":180000}}'],
    ])
      same(tells(url, body, more), false, `${url} ${JSON.stringify(more)}`);
    // A response about the account carries no usage, whatever it contains.
    const account = e.read(
      response(
        'https://claude.ai/api/bootstrap',
        'data: {"type":"message_start","message":{"usage":{"input_tokens":5}}}',
      ),
      1e6,
    );
    same(account.usage, undefined, 'usage where it does not belong');
  });
  await test('answers of any shape never throw, and yield nothing beyond the bounds (seeded)', () => {
    let seed = 21;
    const random = (n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % n;
    };
    const { tree } = chatgptTree('abc', talk, { fork: 4, hidden: true });
    const bodies = [claudeTree('abc', talk, { 1: { thinking: 'x' } }), tree, geminiFrames('abc', talk, null)].map(
      (b) => (typeof b === 'string' ? b : JSON.stringify(b)),
    );
    const urls = [
      ['claude', 'claude.ai', '/api/organizations/o/chat_conversations/abc?tree=True', 'GET'],
      ['chatgpt', 'chatgpt.com', '/backend-api/conversation/abc', 'GET'],
      ['gemini', 'gemini.google.com', '/_/BardChatUi/data/batchexecute?rpcids=hNvQHb', 'POST'],
    ];
    const odd = ['null', '[]', '{}', '-1', '"x"', '1e999', 'true', '[[[[]]]]', '{"a":{}}'];
    for (let i = 0; i < 20_000; i++) {
      const which = random(3);
      const [id, host, path, method] = urls[which];
      const body = bodies[which];
      const at = random(body.length);
      const broken =
        random(2) === 0
          ? body.slice(0, at) + odd[random(odd.length)] + body.slice(at + random(40))
          : body.replace(/"[a-z_]+":(?:"[^"]*"|\d+|null)/gi, (m) =>
              random(30) === 0 ? `${m.split(':')[0]}:${odd[random(odd.length)]}` : m,
            );
      const facts = readerOf(id, host).read(response(`https://${host}${path}`, broken, { method }), 0);
      if (facts?.loaded) {
        holds(facts.loaded.messages.length <= 20_000, `seed 21, ${i}`);
        merged(facts.loaded, rows(talk.slice(20), 20), []);
      }
    }
  });
  await test('a tree that runs in a circle, and one with a hundred thousand messages, end', () => {
    const tree = claudeTree('abc', talk);
    tree.chat_messages[0].parent_message_uuid = tree.chat_messages[29].uuid;
    const e = readerOf('claude', 'claude.ai');
    const url = 'https://claude.ai/api/organizations/o/chat_conversations/abc?tree=True';
    merged(e.read(response(url, tree), 0).loaded, rows(talk), []);
    const many = claudeTree('abc', Array(30_000).fill(talk[0]));
    same(e.read(response(url, many), 2000)?.loaded, undefined, 'too many');
    let deep = '"x"';
    for (let i = 0; i < 5000; i++) deep = `{"content":[${deep}]}`;
    e.read(response(url, `{"uuid":"abc","chat_messages":[{"sender":"human","content":[${deep}]}]}`), 4000);
  });
}

const message = (id, content_type, content) => ({
  id,
  author: { role: 'assistant' },
  recipient: 'all',
  content: { content_type, ...content },
  metadata: {},
});
