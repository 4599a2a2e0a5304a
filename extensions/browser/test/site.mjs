// Copyright The ctx-lsp authors. MIT licence.

// Pages that have the structure of the real ones, served over TLS under their names and a strict policy. The test pages
// are driven through window.fake, which plays the site's own program.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const shapes = {
  'chatgpt.com': `
    <button data-testid="model-switcher-dropdown-button">ChatGPT 5.5</button><main id="thread"></main>
    <form style="position:fixed;bottom:0;right:0;left:0;height:60px"><div id="prompt-textarea" contenteditable="true" style="height:50px"></div></form>
    <script nonce="N">
      window.fake = {
        add(role, text) { const a = document.createElement('article'); a.dataset.testid = 'conversation-turn-' + thread.children.length
          const m = document.createElement('div'); m.dataset.messageAuthorRole = role; if (role === 'assistant') m.dataset.messageModelSlug = fake.slug
          const p = document.createElement('div'); p.textContent = text; const b = document.createElement('button'); b.textContent = 'Copy'; m.append(p, b); a.append(m); thread.append(a) },
        grow(text) { thread.lastElementChild.querySelector('div div').append(text) },
        edit(i, text) { thread.children[i].querySelector('div div').textContent = text; while (thread.children.length > i + 1) thread.lastElementChild.remove() },
        slug: 'gpt-5-5',
        breakPage() { for (const m of document.querySelectorAll('[data-message-author-role]')) m.removeAttribute('data-message-author-role') },
      }
    </script>`,
  'claude.ai': `
    <button data-testid="model-selector-dropdown">Opus 5</button><div id="thread"></div>
    <div class="ProseMirror" contenteditable="true" style="position:fixed;top:0;height:40px;width:300px"></div>
    <script nonce="N">
      window.fake = {
        add(role, text) { const o = document.createElement('div'); o.dataset.testRenderCount = '1'; const m = document.createElement('div')
          if (role === 'user') m.dataset.testid = 'user-message'; else m.className = 'font-claude-response'
          m.textContent = text; o.append(m); thread.append(o) },
        grow(text) { thread.lastElementChild.firstElementChild.append(text) },
        edit(i, text) { thread.children[i].firstElementChild.textContent = text; while (thread.children.length > i + 1) thread.lastElementChild.remove() },
        model(name) { document.querySelector('[data-testid="model-selector-dropdown"]').textContent = name },
        breakPage() { for (const m of thread.querySelectorAll('[data-testid], .font-claude-response')) { m.removeAttribute('data-testid'); m.className = '' } },
        ask: () => fetch('/api/completion').then((r) => r.text()),
      }
    </script>`,
  'gemini.google.com': `
    <bard-mode-switcher>3 Pro</bard-mode-switcher><div class="conversation-container" id="thread"></div>
    <rich-textarea><div class="ql-editor" contenteditable="true" role="textbox" style="height:40px"></div></rich-textarea>
    <script nonce="N">
      window.fake = {
        add(role, text) { const m = document.createElement(role === 'user' ? 'user-query' : 'model-response'); const b = document.createElement(role === 'user' ? 'div' : 'message-content')
          if (role === 'user') b.className = 'query-text'; b.textContent = text; m.append(b); thread.append(m) },
        grow(text) { thread.lastElementChild.firstElementChild.append(text) },
        edit(i, text) { thread.children[i].firstElementChild.textContent = text; while (thread.children.length > i + 1) thread.lastElementChild.remove() },
        breakPage() { for (const m of [...thread.children]) { const d = document.createElement('div'); d.textContent = m.textContent; m.replaceWith(d) } },
      }
    </script>`,
}

const usage = (n) =>
  [
    { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: n, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 } } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } },
  ]
    .map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`)
    .join('')

/** Serves the pages; `seen` lists every request that reached it. */
export async function serve() {
  const dir = mkdtempSync(join(tmpdir(), 'ctx-site-'))
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=chat', '-addext',
    'subjectAltName=DNS:chatgpt.com,DNS:claude.ai,DNS:gemini.google.com', '-keyout', join(dir, 'k'), '-out', join(dir, 'c')], { stdio: 'ignore' })
  const seen = []
  const server = createServer({ key: readFileSync(join(dir, 'k')), cert: readFileSync(join(dir, 'c')) }, (req, res) => {
    const host = (req.headers.host ?? '').replace(/:\d+$/, '')
    seen.push(`${host}${req.url}`)
    if (req.url === '/api/completion') return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(usage(54321))
    const shape = shapes[host]
    if (!shape || req.url === '/favicon.ico') return void res.writeHead(404).end()
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'; script-src 'nonce-N'; style-src 'unsafe-inline'; connect-src 'self'" })
    res.end(`<!doctype html><meta charset="utf-8"><title>Chat on ${host}</title><body>${shape}`)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { port: server.address().port, seen, close: () => server.close() }
}
