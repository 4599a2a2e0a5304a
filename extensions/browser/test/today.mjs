// Copyright The ctx-lsp authors. MIT licence.

// Pages as the sites are in 2026, after what public exporters, their fixtures and their issues say of them: of a long
// conversation only a few turns are in the page. Nothing here is taken from the adapters. A page shows the conversation
// that its address names: /chat/2026n200 has 200 messages. With ?load it fetches it as the site's own program does.
import { chatgptTree, claudeTree, geminiFrames, talkOf } from './answers.mjs';

const html = 'text/html; charset=utf-8';

/** Returns the response of a site at an address of 2026; null for any other address. */
export function today(host, url) {
  const id = /2026n(\d+)\w*/.exec(url);
  if (!id || !pages[host]) return null;
  const talk = talkOf(Number(id[1]));
  return pages[host](url, id[0], talk);
}

const pages = {
  'claude.ai'(url, id, talk) {
    if (url.startsWith('/api/')) return { type: 'application/json', body: JSON.stringify(claudeTree(id, talk)) };
    const own = `/api/organizations/o-1/chat_conversations/${id}?tree=True&rendering_mode=messages&render_all_tools=true`;
    return page(
      talk,
      own,
      'Opus 5',
      `
      const row = (i) => {
        const [side, text] = talk[i];
        const r = el('div', { 'data-rs-index': i, 'data-index': i, role: 'listitem', 'aria-setsize': talk.length, 'aria-posinset': i + 1, 'aria-label': 'Message ' + (i + 1) + ' of ' + talk.length });
        const t = el('div', { 'data-test-render-count': 2 });
        if (side === 'user') t.append(el('div', { 'data-testid': 'user-message' }, el('p', {}, text)));
        else t.append(el('div', { class: 'font-claude-response' }, el('div', { class: 'standard-markdown' }, el('p', {}, text)), el('button', {}, 'Copy')));
        r.append(t);
        return r;
      };
      const header = () => el('button', { 'data-testid': 'model-selector-dropdown' }, fake.name);
      const field = () => el('fieldset', {}, el('div', { class: 'ProseMirror field', contenteditable: true, 'aria-label': 'Message' }, el('p', {})), controls('Send message', {}));
      const rowsAt = (from, to) => { const out = []; for (let i = from; i < to; i++) out.push(row(i)); return out };
      fake.pasted = () => { const r = row(talk.length - 1); r.firstChild.replaceChildren(el('div', { 'data-testid': 'file-thumbnail' }, 'pasted')); return r };`,
    );
  },
  'chatgpt.com'(url, id, talk) {
    const { tree, ids } = chatgptTree(id, talk);
    if (url.startsWith('/backend-api/')) return { type: 'application/json', body: JSON.stringify(tree) };
    return page(
      talk,
      `/backend-api/conversation/${id}`,
      'ChatGPT 5.5',
      `
      const ids = ${JSON.stringify(ids.main)};
      const shell = (i, inside) => el('div', { 'data-turn-id-container': ids[i] ?? 'extra-' + i }, ...(inside ? [inside] : []));
      const turn = (i, side, ...inside) => shell(i, el('section', { 'data-testid': 'conversation-turn-' + (i + 1), 'data-turn-id': ids[i] ?? 'extra-' + i, 'data-turn': side, dir: 'auto' }, el('h4', { class: 'sr-only' }, 'said:'), ...inside));
      const row = (i) => { const [side, text] = talk[i];
        return turn(i, side, el('div', { 'data-message-author-role': side, 'data-message-id': ids[i], ...(side === 'assistant' ? { 'data-message-model-slug': 'gpt-5-5' } : {}) }, el('p', {}, text)), el('button', {}, 'Copy')) };
      const header = () => el('button', { 'data-testid': 'model-switcher-dropdown-button' }, fake.name);
      const field = () => el('form', {}, el('div', { id: 'prompt-textarea', class: 'field', contenteditable: true, 'aria-label': 'Message' }), controls('Send prompt', { 'data-testid': 'send-button' }));
      // Turns that are not in the page keep their space, unless the page option disables that.
      const rowsAt = (from, to) => { const out = [el('div', { 'data-turn-id-container': 'client-created-root' })];
        for (let i = 0; i < talk.length; i++) if (i >= from && i < to) out.push(row(i)); else if (!fake.bare) out.push(shell(i));
        return out };
      fake.bare = location.search.includes('bare');
      fake.image = () => turn(talk.length, 'assistant', el('div', { class: 'group/imagegen-image' }));
      fake.report = () => turn(talk.length, 'assistant', el('iframe', { title: 'report' }));
      fake.pending = () => turn(talk.length, 'assistant');
      fake.strange = (i) => turn(talk.length + i, 'user', el('div', {}, 'nobody knows'));`,
    );
  },
  'gemini.google.com'(url, id, talk) {
    if (url.startsWith('/_/'))
      return { type: 'application/json', body: geminiFrames(id, talk, url.includes('older') ? 't' : null) };
    return page(
      talk,
      `/_/BardChatUi/data/batchexecute?rpcids=hNvQHb&source-path=%2Fapp%2F${id}`,
      '',
      `
      const pair = (i) => { const c = el('div', { class: 'conversation-container', id: String(i) });
        c.append(el('user-query', {}, el('div', { class: 'query-text' }, el('p', { class: 'query-text-line' }, talk[i][1]))));
        if (talk[i + 1]) c.append(el('model-response', {}, el('model-thoughts', {}, el('message-content', {}, 'A thought.')), el('message-content', {}, el('div', { class: 'markdown markdown-main-panel' }, el('p', {}, talk[i + 1][1])))));
        return c };
      const header = () => el('bard-mode-switcher', {}, el('button', { 'aria-label': 'Open mode picker, currently ' + (fake.name || 'Pro') }, fake.name || 'Pro'));
      const field = () => el('form', {}, el('rich-textarea', {}, el('div', { class: 'ql-editor field', contenteditable: true, role: 'textbox', 'aria-label': 'Message' }, el('p', {}))), controls('Send message', { class: 'send-button' }));
      const rowsAt = (from, to) => { const out = []; for (let i = from - (from % 2); i < to; i += 2) out.push(pair(i)); return out };
      fake.load = () => new Promise((done) => { const x = new XMLHttpRequest(); x.open('POST', own); x.onload = done; x.send('f.req=x') });`,
    );
  },
};

/** So much of the sites' looks that a picture of the badge shows it where people see it. */
const looks = `<style>
  body { font: 15px/1.6 system-ui, sans-serif; margin: 0; color: #222; background: #fff } header { padding: 10px 16px }
  header button, .controls button { font: inherit; border: 0; border-radius: 16px; min-width: 32px; height: 32px; background: #eee; color: inherit }
  #thread { max-width: 680px; margin: auto; padding: 16px 16px 170px; overflow-wrap: anywhere } #thread button { display: none } h4 { display: none }
  :is([data-testid=user-message], [data-message-author-role=user], .query-text) { background: #f3f3f3; border-radius: 18px; padding: 1px 16px; width: fit-content; max-width: 75%; margin-inline-start: auto }
  form, fieldset { position: fixed; bottom: 24px; left: 0; right: 0; margin: auto; box-sizing: border-box; width: min(720px, calc(100% - 24px)); min-width: 0; padding: 12px; border: 1px solid #ccc; border-radius: 24px; background: #fff }
  .field { min-height: 26px; max-height: 120px; overflow: auto; padding: 0 6px; outline: 0; overflow-wrap: anywhere } .field p { margin: 0 }
  .controls { display: flex; justify-content: space-between; margin-top: 8px } .controls button:last-child { background: #222; color: #fff }
  @media (prefers-color-scheme: dark) { body { background: #212121; color: #eee } form, fieldset { background: #2b2b2b; border-color: #444 } :is([data-testid=user-message], [data-message-author-role=user], .query-text), header button, .controls button { background: #333 } }
</style>`;

function page(talk, own, name, script) {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Today</title>${looks}<body><header></header><main><div id="thread"></div></main>
<script nonce="N">
  const talk = ${JSON.stringify(talk).replaceAll('<', '\\u003c')};
  const own = ${JSON.stringify(own)};
  const el = (name, attributes, ...inside) => { const e = document.createElement(name); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); e.append(...inside); return e };
  // The row of the field: what can be attached, room, and what sends.
  const controls = (name, attributes) => el('div', { class: 'controls' }, el('button', { type: 'button', 'aria-label': 'Attach' }, '+'), el('button', { type: 'button', 'aria-label': name, ...attributes }, '\u2191'));
  window.fake = {
    name: ${JSON.stringify(name)},
    /** Shows the turns from one to another, and takes all others out of the page. */
    mount(from, to) { thread.replaceChildren(...rowsAt(Math.max(0, from), Math.min(talk.length, to))) },
    /** Adds a turn at the end of the shown ones. */
    put(row) { thread.append(row) },
    say(side, text) { talk.push([side, text]); fake.mount(talk.length - 6, talk.length) },
    choose(name) { fake.name = name; document.querySelector('header').replaceChildren(header()) },
    load: () => fetch(own).then((r) => r.text()),
  };
  ${script}
  if (location.search.includes('load')) void fake.load();
  document.querySelector('header').append(header());
  document.body.append(field());
  fake.mount(talk.length - 6, talk.length);
</script>`;
  return { type: html, body };
}
