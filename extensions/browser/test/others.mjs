// Copyright The ctx-lsp authors. MIT licence.

// Pages of the smaller sites, and of programs that people run themselves, after the public sources of these programs
// and what exporters and their fixtures say of the sites. Nothing here is taken from the adapters.
import { talkOf } from './answers.mjs';

const html = 'text/html; charset=utf-8';
const id = 'a1b2c3d4-0000-4000-8000-00000000beef';
const json = (body) => ({ type: 'application/json', body: JSON.stringify(body) });
const stream = (events) => ({
  type: 'text/event-stream',
  body: `${events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join('')}data: [DONE]\n\n`,
});

/** The name of each site, the addresses of its conversations, and a talk of n messages. */
export const others = {
  deepseek: `https://chat.deepseek.com/a/chat/s/${id}`,
  grok: `https://grok.com/c/${id}`,
  aistudio: `https://aistudio.google.com/prompts/${id}`,
  kimi: `https://www.kimi.com/chat/${id}`,
  qwen: `https://chat.qwen.ai/c/${id}`,
  mistral: `https://chat.mistral.ai/chat/${id}`,
};

/** The programs at addresses of a network at home, without a certificate. */
export const hosted = {
  'open-webui': `http://192.168.7.5:3000/c/${id}`,
  librechat: `http://192.168.7.5:3080/c/${id}`,
  'llama.cpp': `http://192.168.7.5:8080/#/chat/${id}`,
  'lm-studio': 'http://192.168.7.5:5173/talk',
};

/** Whose models answer, as the sites' names say. */
export const providers = {
  deepseek: 'deepseek',
  grok: 'xai',
  aistudio: 'google',
  kimi: 'moonshotai',
  qwen: 'alibaba',
  mistral: 'mistral',
};

export const length = 40;
/** The tokens that DeepSeek's server reports for the conversation; its pages show 1.2k. */
export const reportedByDeepSeek = 1439;
const talk = talkOf(length);

const rows = {
  'chat.deepseek.com': `(side, text, i) => el('div', { 'data-virtual-list-item-key': i + 1 }, side === 'user'
    ? el('div', { class: 'ds-message' }, el('div', { class: 'ds-collapsible-area' }, el('div', { class: 'ds-collapsible-text' }, text)))
    : el('div', { class: 'ds-message' }, el('div', { class: 'ds-markdown ds-assistant-message-main-content' }, el('p', { class: 'ds-markdown-paragraph' }, text)), el('div', { class: 'ds-flex' }, el('button', {}, 'Copy'))))`,
  'grok.com': `(side, text, i) => el('div', { id: 'response-' + i, class: 'relative group flex flex-col ' + (side === 'user' ? 'items-end' : 'items-start') },
    el('div', { class: 'message-bubble relative rounded-3xl' }, side === 'user' ? el('span', { class: 'whitespace-pre-wrap' }, text) : el('div', { class: 'response-content-markdown markdown' }, el('p', {}, text))), el('div', { class: 'action-buttons' }, el('button', {}, 'Copy')))`,
  'aistudio.google.com': `(side, text, i, gone) => el('ms-chat-turn', { id: 'turn-' + i }, el('div', { class: 'chat-turn-container render' }, el('div', { class: 'virtual-scroll-container', 'data-turn-role': side === 'user' ? 'User' : 'Model' },
    ...(gone ? [] : [el('div', { class: 'turn-content' }, el('ms-prompt-chunk', {}, el('ms-text-chunk', {}, el('p', {}, text))))]))))`,
  'www.kimi.com': `(side, text) => side === 'user' ? el('div', { class: 'segment segment-user' }, el('div', { class: 'user-content' }, el('div', { class: 'user-content__text' }, text)))
    : el('div', { class: 'segment segment-assistant' }, el('div', { class: 'thinking-container' }, el('div', { class: 'markdown' }, 'I think of it.')), el('div', { class: 'markdown' }, el('p', {}, text)))`,
  'chat.qwen.ai': `(side, text) => side === 'user' ? el('div', { class: 'qwen-chat-message-user' }, el('div', { class: 'chat-user-message' }, el('p', {}, text)))
    : el('div', { class: 'qwen-chat-message-assistant' }, el('div', { class: 'response-message-content' }, el('div', { class: 'custom-qwen-markdown' }, el('p', {}, text))))`,
  'chat.mistral.ai': `(side, text, i) => el('div', { 'data-message-id': 'm' + i, 'data-message-author-role': side }, el('div', { class: 'markdown-container-style' }, el('p', {}, text)), el('button', {}, 'Copy'))`,
  3000: `(side, text, i) => el('div', { class: 'flex flex-col group' }, side === 'user'
    ? el('div', { class: 'flex w-full user-message', id: 'message-w' + i }, el('div', { class: 'chat-user w-full markdown-prose' }, el('div', { class: 'rounded-3xl' }, el('p', { dir: 'auto' }, text))))
    : el('div', { class: 'flex w-full message-w' + i, id: 'message-w' + i }, el('div', { class: 'flex-auto' }, el('div', { class: 'line-clamp-1' }, 'qwen3:8b'), el('div', { class: 'chat-assistant w-full markdown-prose' }, el('div', { id: 'response-content-container' }, el('p', { dir: 'auto' }, text))), el('div', { class: 'buttons' }, el('button', {}, 'Copy')))))`,
  3080: `(side, text, i) => el('div', { id: 'l' + i, role: 'group', class: 'message-render group' }, el('div', { class: 'relative flex flex-col ' + (side === 'user' ? 'user-turn' : 'agent-turn') }, el('h2', {}, side === 'user' ? 'You' : 'Local'),
    el('div', {}, el('div', { 'data-testid': 'message-body' }, el('div', { class: 'text-message' }, el('div', { class: 'markdown prose message-content' }, el('p', {}, text)))), el('div', {}, el('button', {}, 'Copy')))))`,
  8080: `(side, text) => side === 'user' ? el('div', { 'aria-label': 'User message with actions', role: 'group' }, el('div', { 'data-slot': 'card' }, el('span', { class: 'text-md whitespace-pre-wrap' }, text)), el('div', {}, el('button', {}, 'Edit')))
    : el('div', { 'aria-label': 'Assistant message with actions', role: 'group', class: 'text-md group w-full' }, el('div', {}, el('p', {}, text)), el('div', { class: 'info my-6' }, 'qwen3 12 t/s'), el('button', {}, 'Copy'))`,
  5173: `(side, text) => el('div', { 'data-role': side, class: 'bubble' }, el('p', {}, text))`,
};

/** Makes rows of a place's talk in a document. */
export function rowsOf(place, document) {
  const el = (name, attributes, ...inside) => {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...inside);
    return e;
  };
  return new Function('el', `return ${rows[place]}`)(el);
}

/** The responses of the sites' and the programs' servers. */
function answer(place, url) {
  if (place === 'chat.deepseek.com' && url.startsWith('/api/v0/chat/history'))
    return json({
      data: {
        biz_data: {
          chat_session: { id, current_message_id: length },
          chat_messages: talk.map(([side, content], i) => ({
            message_id: i + 1,
            parent_id: i || null,
            role: side.toUpperCase(),
            content,
            accumulated_token_usage: i % 2 ? reportedByDeepSeek - (length - 1) + i : null,
          })),
        },
      },
    });
  if (place === '3000' && url.startsWith('/api/v1/chats/')) {
    const messages = Object.fromEntries(
      talk.map(([role, content], i) => [
        `w${i}`,
        {
          id: `w${i}`,
          parentId: i ? `w${i - 1}` : null,
          role,
          content:
            i === 1
              ? `<details type="reasoning" done="true"><summary>Thought</summary>Hm.</details>\n${content}`
              : content,
          ...(role === 'assistant' && { model: 'qwen3:8b', usage: { prompt_tokens: 6000 + i, completion_tokens: 40 } }),
        },
      ]),
    );
    return json({ id, chat: { models: ['qwen3:8b'], history: { messages, currentId: `w${length - 1}` } } });
  }
  if (place === '3000' && url === '/api/models')
    return json({ data: [{ id: 'qwen3:8b', owned_by: 'ollama', info: { params: { num_ctx: 8192 } } }] });
  if (place === '3080' && url.startsWith('/api/messages/'))
    return json(
      talk.map(([side, text], i) => ({
        messageId: `l${i}`,
        parentMessageId: i ? `l${i - 1}` : '00000000-0000-0000-0000-000000000000',
        conversationId: id,
        isCreatedByUser: side === 'user',
        ...(i === 3
          ? {
              text: '',
              content: [
                { type: 'think', think: 'Let me see.' },
                { type: 'text', text: { value: text } },
              ],
            }
          : { text }),
        model: side === 'user' ? null : 'local-model',
      })),
    );
  if (place === '8080' && url === '/props')
    return json({ default_generation_settings: { n_ctx: 4096 }, model_path: 'q' });
  if (place === '8080' && url === '/v1/chat/completions')
    return stream([
      { model: 'qwen3', choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] },
      ...['It ', 'is the ', 'new answer.'].map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
      {
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        timings: { cache_n: 2900, prompt_n: 100, predicted_n: 9 },
      },
    ]);
  if (place === '8080' && url === '/v1/chat/completions?title')
    return stream([
      { choices: [{ index: 0, delta: { content: 'Apples' } }], usage: { prompt_tokens: 3500, completion_tokens: 2 } },
    ]);
  if (place === '1234' && url === '/v1/models')
    return json({ data: [{ id: 'lm', loaded_context_length: 16384, max_context_length: 131072 }] });
  if (place === '1234' && url === '/v1/responses')
    return stream([
      { type: 'response.output_text.delta', delta: 'It is the new ' },
      {
        type: 'response.completed',
        response: {
          model: 'lm',
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'It is the new answer.' }] }],
          usage: { input_tokens: 3300, output_tokens: 7, total_tokens: 3307 },
        },
      },
    ]);
  return null;
}

/** The requests of the page itself when it is opened, and for an answer. */
const asks = {
  'chat.deepseek.com': { load: [`/api/v0/chat/history_messages?chat_session_id=${id}&cache_version=2`] },
  3000: { load: [`/api/v1/chats/${id}`, '/api/models'] },
  3080: { load: [`/api/messages/${id}`] },
  8080: { load: ['/props'], ask: '/v1/chat/completions', title: '/v1/chat/completions?title' },
  5173: { load: ['http://192.168.7.5:1234/v1/models'], ask: 'http://192.168.7.5:1234/v1/responses' },
};

/** The page or the answer at an address of one of them; null for any other. */
export function other(host, url) {
  const name = host.replace(/:\d+$/, '');
  const place = name === '192.168.7.5' ? host.slice(name.length + 1) : name;
  if (!rows[place] && place !== '1234') return null;
  return answer(place, url) ?? (rows[place] ? page(place) : null);
}

const page = (place) => ({
  type: html,
  body: `<!doctype html><meta charset="utf-8"><title>Another</title><body><main><div id="thread"></div></main><form><textarea></textarea></form>
<script nonce="N">
  const talk = ${JSON.stringify(talk)};
  const asks = ${JSON.stringify(asks[place] ?? { load: [] })};
  const el = (name, attributes, ...inside) => { const e = document.createElement(name); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); e.append(...inside); return e };
  const row = ${rows[place]};
  // ?spaced: what is not in the page keeps its room, as lists do that show what is in view. ?lazy: earlier turns are
  // loaded when one scrolls up to the top.
  const how = new URLSearchParams(location.search);
  const room = (n) => el('div', { style: 'height: ' + n * 120 + 'px; min-height: 0' });
  if (how.has('spaced') || how.has('lazy')) document.head.append(el('style', {}, '#thread > * { min-height: 120px; box-sizing: border-box }'));
  let begins = talk.length - 12;
  const older = () => { if (scrollY > 2 || begins === 0) return; const was = document.body.scrollHeight; begins = Math.max(0, begins - 10); fake.mount(begins, talk.length); scrollTo(0, document.body.scrollHeight - was) };
  window.fake = {
    /** Shows the turns from one to another; those that are scrolled away are gone, or keep an empty place. */
    mount(from, to) { thread.replaceChildren(...(how.has('spaced') ? [room(from)] : []), ...talk.flatMap(([side, text], i) => i >= from && i < to ? [row(side, text, i, false)] : ${place === 'aistudio.google.com'} ? [row(side, text, i, true)] : []), ...(how.has('spaced') ? [room(talk.length - to)] : [])) },
    /** Shows what a list of which only the part in view is in the page shows there. */
    scrolled(from) { fake.mount(from, Math.min(talk.length, from + 10)); scrollTo(0, from + 10 < talk.length ? from * 120 + 60 * (from > 0) : document.body.scrollHeight) },
    /** From there on, the messages are another branch. */
    edit(from, texts) { talk.splice(from, talk.length, ...texts); fake.mount(0, talk.length) },
    say(side, text) { talk.push([side, text]); thread.append(row(side, text, talk.length - 1, false)) },
    load: () => Promise.all(asks.load.map((a) => fetch(a).then((r) => r.text()))),
    ask: (what = 'ask') => fetch(asks[what], { method: 'POST', body: JSON.stringify({ stream: true, messages: talk }) }).then((r) => r.text()),
  };
  if (location.search.includes('load')) void fake.load();
  if (how.has('spaced')) fake.scrolled(talk.length - 10);
  else if (how.has('lazy')) { fake.mount(begins, talk.length); scrollTo(0, document.body.scrollHeight); addEventListener('scroll', () => setTimeout(older, 100)) }
  else fake.mount(how.has('few') ? talk.length - 6 : 0, talk.length);
</script>`,
});
