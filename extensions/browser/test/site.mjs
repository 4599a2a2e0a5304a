// Copyright The ctx-lsp authors. MIT licence.

// Pages that have the structure of the real ones, served over TLS under their names and a strict policy. The test pages
// are driven through window.fake, which plays the site's own program.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { other } from './others.mjs';
import { today } from './today.mjs';

const shapes = {
  'chatgpt.com': `
    <header><button data-testid="model-switcher-dropdown-button">ChatGPT 5.5</button></header><main id="thread"></main>
    <form style="bottom:0;right:0;left:0"><div id="prompt-textarea" class="field" contenteditable="true"></div></form>
    <script nonce="N">
      window.fake = {
        add(role, text) { const a = document.createElement('article'); a.dataset.testid = 'conversation-turn-' + thread.children.length
          const m = document.createElement('div'); m.dataset.messageAuthorRole = role; if (role === 'assistant') m.dataset.messageModelSlug = fake.slug
          const p = document.createElement('p'); p.textContent = text; const b = document.createElement('button'); b.textContent = 'Copy'; m.append(p, b); a.append(m); thread.append(a) },
        body: (turn) => turn.querySelector('p'),
        attach(i, image) { const m = thread.children[i].firstElementChild; m.append(image); const f = document.createElement('div'); f.className = 'group/file-tile'; f.textContent = 'report.pdf'; m.append(f) },
        model(name) { document.querySelector('header button').textContent = name },
        slug: 'gpt-5-5',
        breakPage() { for (const m of document.querySelectorAll('[data-message-author-role]')) m.removeAttribute('data-message-author-role') },
        breakHalf() { for (const m of document.querySelectorAll('[data-message-author-role=assistant]')) m.removeAttribute('data-message-author-role') },
      }
    </script>`,
  'claude.ai': `
    <header><button data-testid="model-selector-dropdown">Opus 5</button></header><main id="thread"></main>
    <fieldset style="bottom:0;right:0;left:0"><div class="ProseMirror field" contenteditable="true"><p></p></div></fieldset>
    <script nonce="N">
      window.fake = {
        add(role, text) { const o = document.createElement('article'); o.dataset.testRenderCount = '1'; const m = document.createElement('div')
          if (role === 'user') m.dataset.testid = 'user-message'; else m.className = 'font-claude-response'
          const p = document.createElement('p'); p.textContent = text; m.append(p); o.append(m); thread.append(o) },
        body: (turn) => turn.querySelector('p'),
        attach(i, image) { const o = thread.children[i]; o.prepend(image); const f = document.createElement('div'); f.dataset.testid = 'file-thumbnail'; o.prepend(f) },
        model(name) { document.querySelector('header button').textContent = name },
        breakPage() { for (const m of thread.querySelectorAll('[data-testid], .font-claude-response')) { m.removeAttribute('data-testid'); m.className = '' } },
        breakHalf() { for (const m of thread.querySelectorAll('.font-claude-response')) { m.className = 'answer'; m.dataset.testid = 'answer' } },
        ask: (what = 'completion') => fetch('/api/organizations/o/chat_conversations/' + location.pathname.split('/').pop() + '/completion', { method: 'POST', headers: { 'x-what': what } }).then((r) => r.text()),
        elsewhere: () => fetch('/api/completion', { method: 'POST' }).then((r) => r.text()),
      }
    </script>`,
  'gemini.google.com': `
    <header><bard-mode-switcher>3 Pro</bard-mode-switcher></header><main id="thread"></main>
    <form style="bottom:0;right:0;left:0"><rich-textarea><div class="ql-editor field" contenteditable="true" role="textbox"><p></p></div></rich-textarea></form>
    <script nonce="N">
      window.fake = {
        add(role, text) { const c = document.createElement('article'); c.className = 'conversation-container'
          const m = document.createElement(role === 'user' ? 'user-query' : 'model-response'); const b = document.createElement(role === 'user' ? 'div' : 'message-content')
          if (role === 'user') b.className = 'query-text'; b.textContent = text; m.append(b); c.append(m); thread.append(c) },
        body: (turn) => turn.firstElementChild.firstElementChild,
        attach(i, image) { const q = thread.children[i].firstElementChild; q.prepend(image); q.prepend(document.createElement('user-query-file-preview')) },
        model(name) { document.querySelector('bard-mode-switcher').textContent = name },
        breakPage() { for (const m of thread.querySelectorAll('user-query, model-response')) { const d = document.createElement('div'); d.textContent = m.textContent; m.replaceWith(d) } },
        breakHalf() { for (const m of thread.querySelectorAll('model-response')) { const d = document.createElement('div'); d.textContent = m.textContent; m.replaceWith(d) } },
      }
    </script>`,
  'chat.example.org': `
    <main id="thread"></main><textarea class="field" style="position:fixed;bottom:12px;left:0"></textarea>
    <script nonce="N">
      window.fake = {
        add(role, text) { const m = document.createElement('div'); m.className = role === 'user' ? 'turn asked' : 'turn answered'; m.textContent = text; thread.append(m) },
        body: (turn) => turn,
      }
    </script>`,
};

const shared = `<script nonce="N">
  Object.assign(fake, {
    grow(text) { fake.body(thread.lastElementChild).append(text) },
    edit(i, text) { fake.body(thread.children[i]).textContent = text; while (thread.children.length > i + 1) thread.lastElementChild.remove() },
    picture(i, width, height) { const c = document.createElement('canvas'); c.width = width; c.height = height; const m = new Image(); m.src = c.toDataURL(); fake.attach(i, m) },
    // Answers after how many milliseconds of the page's own clock the first badge was there.
    first() { const from = performance.now(); return new Promise((done) => new MutationObserver((_, o) => { if (document.querySelector('ctx-lsp-badge')) { o.disconnect(); done(performance.now() - from) } }).observe(document.documentElement, { childList: true })) },
  })
</script>`;

const looks = `<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0 0 110px; color: #222; background: #fff } header { padding: 10px 16px; border-bottom: 1px solid #eee }
  header button, bard-mode-switcher { font: inherit; font-weight: 600; border: 0; background: none; color: inherit }
  main { max-width: 640px; margin: 0 auto; padding: 16px } article { margin: 0 0 16px; overflow-wrap: anywhere } article p { margin: 0 } article button { display: none }
  form, fieldset { position: fixed; margin: 0; padding: 12px; border: 0; background: inherit } .field { max-width: 640px; height: 48px; margin: auto; border: 1px solid #ccc; border-radius: 24px; padding: 4px 18px; overflow: auto } .field p { margin: 0 }
  @media (prefers-color-scheme: dark) { body { background: #1f1f1e; color: #eee } header { border-color: #333 } .field { border-color: #555 } }
</style>`;

const policy = {
  'content-security-policy':
    "default-src 'none'; script-src 'nonce-N'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:",
};

const stream = (events) => events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('');
const usage = (n) =>
  stream([
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        usage: { input_tokens: n, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 },
      },
    },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } },
  ]);

/** Serves the pages; `seen` lists every request that reached it. */
export async function serve() {
  const dir = mkdtempSync(join(tmpdir(), 'ctx-site-'));
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=chat',
      '-addext',
      'subjectAltName=DNS:chatgpt.com,DNS:claude.ai,DNS:gemini.google.com,DNS:chat.example.org',
      '-keyout',
      join(dir, 'k'),
      '-out',
      join(dir, 'c'),
    ],
    { stdio: 'ignore' },
  );
  const seen = [];
  const answer = (req, res) => {
    const own = other(req.headers.host ?? '', req.url);
    if (own && req.url !== '/favicon.ico') {
      seen.push(`${req.headers.host}${req.url}`);
      return void res.writeHead(200, { 'content-type': own.type, 'access-control-allow-origin': '*' }).end(own.body);
    }
    const host = (req.headers.host ?? '').replace(/:\d+$/, '');
    seen.push(`${host}${req.url}`);
    const what = req.url.endsWith('/completion') ? (req.headers['x-what'] ?? 'completion') : '';
    if (what === 'completion')
      return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(usage(54321));
    if (what === 'overflow') {
      const error = {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 190000 maximum' },
      };
      return void res.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error));
    }
    const now = today(host, req.url);
    if (now) {
      if (req.url === '/favicon.ico') return void res.writeHead(404).end();
      return void res
        .writeHead(200, { 'content-type': now.type, ...(now.type.startsWith('text/html') && policy) })
        .end(now.body);
    }
    const shape = shapes[host];
    if (!shape || req.url === '/favicon.ico') return void res.writeHead(404).end();
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...policy,
    });
    res.end(`<!doctype html><meta charset="utf-8"><title>Chat on ${host}</title>${looks}<body>${shape}${shared}`);
  };
  const server = createServer({ key: readFileSync(join(dir, 'k')), cert: readFileSync(join(dir, 'c')) }, answer);
  // Pages at home have no certificate.
  const plain = createPlainServer(answer);
  for (const s of [server, plain]) await new Promise((done) => s.listen(0, '127.0.0.1', done));
  const close = () => {
    server.close();
    plain.close();
  };
  return { port: server.address().port, plain: plain.address().port, seen, close };
}
