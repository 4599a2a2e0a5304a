// Copyright The ctx-lsp authors. MIT licence.

// Drives the extension in real browsers on pages served as the chat sites. The last line is "N passed, M failed".
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { badge, launch, until, worker } from './chromium.mjs'
import { firefox } from './firefox.mjs'
import { serve } from './site.mjs'

const here = import.meta.dirname
const dist = (name) => join(here, '../dist', name)
const shots = join(here, 'shots')
mkdirSync(shots, { recursive: true })
const cli = process.env.CTX_LSP ?? join(here, '../../../bin/ctx-lsp')

let passed = 0
let failed = 0
async function test(name, body) {
  try {
    await body()
    passed++
    console.log(`ok    ${name}`)
  } catch (e) {
    failed++
    console.log(`FAIL  ${name}\n      ${e?.stack ?? e}`)
  }
}
function same(got, want, what) {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)
}

/** What the native engine says of the same conversation. */
function native(open, items, draft) {
  const calls = [
    { method: 'ctx/session/open', params: { id: 'x', route: 'chat', rule: { percent: 90 }, ...open } },
    { method: 'ctx/session/update', params: { id: 'x', append: items, ...(draft && { draft }) } },
  ]
  const out = execFileSync(cli, ['status', '--json', '--calls', '-'], { input: calls.map((c) => JSON.stringify(c)).join('\n') })
  const reading = JSON.parse(out)
  return (reading.reading ?? reading).display
}
const says = (d) => (text) => text !== null && text.includes(` ${d.percent} full`) && text.includes(`${d.used} of`)

const site = await serve()
const gpt = { model: 'gpt-5.5', provider: 'openai' }
const opus = { model: 'claude-opus-5', provider: 'anthropic' }
const gemini = { model: 'gemini-3-pro', provider: 'google' }
const long = 'The quick brown fox jumps over the lazy dog. '

const context = await launch(dist('test-chromium'), site.port)
const requests = []
try {
  const service = await worker(context)
  const open = async (address) => {
    const page = await context.newPage()
    page.on('request', (r) => requests.push(r.url()))
    await page.goto(address)
    return page
  }

  await test('Chromium: the badge shows what the native engine counts, on each site', async () => {
    for (const [address, model] of [['https://chatgpt.com/c/one', gpt], ['https://claude.ai/chat/one', opus], ['https://gemini.google.com/app/one', gemini]]) {
      const page = await open(address)
      const items = [{ kind: 'user', text: 'Was heißt „Kontext“? 文脈 🎉 <b>bold</b>' }, { kind: 'assistant', text: long.repeat(300) }]
      await page.evaluate((items) => items.forEach((i) => fake.add(i.kind, i.text)), items)
      await until(page, says(native(model, items)), address)
      await page.screenshot({ path: join(shots, `${new URL(address).hostname}.png`) })
      await page.close()
    }
  })

  await test('Chromium: it follows a streaming answer, an edit with its branch, and a change of model', async () => {
    const page = await open('https://claude.ai/chat/two')
    await page.evaluate((t) => { fake.add('user', 'question'); fake.add('assistant', t) }, long)
    let text = long
    for (let i = 0; i < 5; i++) {
      text += long.repeat(40)
      await page.evaluate((t) => fake.grow(t), long.repeat(40))
      await page.waitForTimeout(60)
    }
    await until(page, says(native(opus, [{ kind: 'user', text: 'question' }, { kind: 'assistant', text }])), 'streamed')
    await page.evaluate(() => fake.edit(0, 'another question'))
    await until(page, says(native(opus, [{ kind: 'user', text: 'another question' }])), 'edited')
    await page.evaluate((t) => { fake.add('assistant', t); fake.model('Haiku 4.5') }, text)
    await until(page, says(native({ ...opus, model: 'claude-haiku-4-5' }, [{ kind: 'user', text: 'another question' }, { kind: 'assistant', text }])), 'other model')
    await page.close()
  })

  await test('Chromium: the draft is counted while it is typed', async () => {
    const page = await open('https://chatgpt.com/c/draft')
    await page.evaluate(() => fake.add('user', 'hello'))
    await until(page, says(native(gpt, [{ kind: 'user', text: 'hello' }])), 'before')
    await page.click('#prompt-textarea')
    await page.keyboard.insertText(long.repeat(100))
    await until(page, says(native(gpt, [{ kind: 'user', text: 'hello' }], long.repeat(100).trim())), 'typed')
    await page.close()
  })

  await test('Chromium: usage in the page\'s own answers wins over the count', async () => {
    const page = await open('https://claude.ai/chat/usage')
    await page.evaluate(() => fake.add('user', 'hello'))
    await until(page, (b) => b !== null, 'before')
    await page.evaluate(() => fake.ask())
    await until(page, (b) => b !== null && b.includes('54.4k of'), 'measured')
    await page.close()
  })

  await test('Chromium: what is no usage changes nothing', async () => {
    const page = await open('https://claude.ai/chat/forged')
    await page.evaluate(() => fake.add('user', 'hello'))
    const was = await until(page, (b) => b !== null, 'before')
    await page.evaluate(() => {
      for (const ctxLspUsage of [null, 5, 'x', [], { usage: { input_tokens: -5 } }, { usage: { input_tokens: 'many' } }, { usage: 'x'.repeat(90) }]) window.postMessage({ ctxLspUsage })
    })
    await page.waitForTimeout(400)
    same(await badge(page), was, 'badge')
    await page.close()
  })

  await test('Chromium: a page that has changed shows that, and no number', async () => {
    for (const address of ['https://chatgpt.com/c/three', 'https://claude.ai/chat/three', 'https://gemini.google.com/app/three']) {
      const page = await open(address)
      await page.evaluate(() => fake.add('user', 'hello'))
      await until(page, (b) => b !== null, 'before')
      await page.evaluate(() => fake.breakPage())
      await until(page, (b) => /cannot be read/.test(b ?? ''), address)
      await page.close()
    }
  })

  await test('Chromium: the page can neither find nor read the badge', async () => {
    const page = await open('https://chatgpt.com/c/spy')
    await page.evaluate(() => fake.add('user', 'hello'))
    await until(page, (b) => b !== null, 'before')
    same(await page.evaluate(() => { const h = document.querySelector('ctx-lsp-badge'); return [h.shadowRoot, h.textContent, h.attributes.length] }), [null, '', 0], 'what the page sees')
    await page.close()
  })

  await test('Chromium: the worker is stopped, and the badge comes back with the same number', async () => {
    const page = await open('https://chatgpt.com/c/stop')
    await page.evaluate((t) => { fake.add('user', 'hello'); fake.add('assistant', t) }, long.repeat(200))
    await until(page, says(native(gpt, [{ kind: 'user', text: 'hello' }, { kind: 'assistant', text: long.repeat(200) }])), 'before')
    await page.waitForTimeout(1500) // until the ledgers are kept
    const control = await context.newPage()
    const cdp = await context.browser()?.newBrowserCDPSession?.() ?? await context.newCDPSession(control)
    const { targetInfos } = await cdp.send('Target.getTargets')
    for (const t of targetInfos.filter((t) => t.type === 'service_worker')) await cdp.send('Target.closeTarget', { targetId: t.targetId })
    await control.close()
    await page.evaluate((t) => fake.add('user', t), long)
    await until(page, says(native(gpt, [{ kind: 'user', text: 'hello' }, { kind: 'assistant', text: long.repeat(200) }, { kind: 'user', text: long }])), 'after')
    await page.close()
  })

  await test('Chromium: two tabs of one conversation show one number', async () => {
    const a = await open('https://chatgpt.com/c/twice')
    const b = await open('https://chatgpt.com/c/twice')
    for (const p of [a, b]) await p.evaluate((t) => fake.add('user', t), long.repeat(100))
    const want = says(native(gpt, [{ kind: 'user', text: long.repeat(100) }]))
    await until(a, want, 'first')
    await until(b, want, 'second')
    await a.close()
    await b.close()
  })

  await test('Chromium: a long conversation: 5,000 messages, and 2 MB in one', async () => {
    const page = await open('https://gemini.google.com/app/long')
    await page.evaluate((t) => { for (let i = 0; i < 5000; i++) fake.add(i % 2 ? 'assistant' : 'user', `${i} ${t}`) }, long)
    const items = Array.from({ length: 5000 }, (_, i) => ({ kind: i % 2 ? 'assistant' : 'user', text: `${i} ${long}` }))
    await until(page, says(native(gemini, items)), 'many', 20000)
    await page.evaluate((t) => fake.add('user', t.repeat(45000)), long)
    await until(page, says(native(gemini, [...items, { kind: 'user', text: long.repeat(45000) }])), 'large', 20000)
    await page.close()
  })

  await test('Chromium: a keystroke costs at most 4 ms of the page at 200,000 tokens, and a page that rewrites itself goes on working', async () => {
    const page = await open('https://chatgpt.com/c/typing')
    await page.evaluate((t) => { for (let i = 0; i < 200; i++) fake.add(i % 2 ? 'assistant' : 'user', t.repeat(100)) }, long)
    await until(page, (b) => /20\dk of/.test(b ?? ''), 'loaded', 20000)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Profiler.enable')
    await page.click('#prompt-textarea')
    await cdp.send('Profiler.setSamplingInterval', { interval: 200 })
    await cdp.send('Profiler.start')
    const keys = 100
    for (let i = 0; i < keys; i++) await page.keyboard.press('a')
    await page.waitForTimeout(300)
    const { profile } = await cdp.send('Profiler.stop')
    const ours = new Set(profile.nodes.filter((n) => n.callFrame.url.startsWith('chrome-extension:')).map((n) => n.id))
    for (let grew = true; grew; ) {
      grew = false
      for (const n of profile.nodes) if (ours.has(n.id)) for (const c of n.children ?? []) if (!ours.has(c)) { ours.add(c); grew = true }
    }
    const time = profile.samples.reduce((sum, id, i) => sum + (ours.has(id) ? profile.timeDeltas[i] : 0), 0) / 1000 / keys
    console.log(`      ${time.toFixed(3)} ms a keystroke`)
    if (time > 4) throw new Error(`${time} ms`)
    await page.evaluate(() => { let n = 0; const id = setInterval(() => { document.title = String(++n); thread.lastElementChild.classList.toggle('x'); thread.append(thread.firstElementChild); if (n > 30) clearInterval(id) }, 100) })
    await page.waitForTimeout(3500)
    await until(page, (b) => /20\dk of/.test(b ?? ''), 'rewritten')
    await page.close()
  })

  await test('Chromium: with a warm worker the first badge is there within 150 ms of the messages (alarm at five times that)', async () => {
    const page = await open('https://chatgpt.com/c/warm')
    await page.waitForTimeout(300)
    const began = Date.now()
    await page.evaluate(() => { fake.add('user', 'hello'); fake.add('assistant', 'hi') })
    await page.waitForFunction(() => document.querySelector('ctx-lsp-badge'), null, { polling: 5 })
    const took = Date.now() - began
    console.log(`      ${took} ms`)
    if (took > 750) throw new Error(`${took} ms`)
    await page.close()
  })

  await test('Chromium: the popup lists the open conversations', async () => {
    const page = await open('https://claude.ai/chat/listed')
    await page.evaluate((t) => fake.add('user', t), long)
    await until(page, (b) => b !== null, 'badge')
    const popup = await context.newPage()
    await popup.goto(`${/^[^/]+\/\/[^/]+/.exec(service.url())[0]}/popup/popup.html`)
    await popup.waitForSelector('button.row')
    same(await popup.textContent('.title'), 'Chat on claude.ai', 'title')
    await popup.screenshot({ path: join(shots, 'popup.png') })
    await popup.goto(`${/^[^/]+\/\/[^/]+/.exec(service.url())[0]}/options/options.html`)
    await popup.fill('textarea[name=windows]', 'claude 1000')
    await popup.selectOption('select[name=format]', 'tokens')
    await popup.click('button[data-say=save]')
    await popup.waitForFunction(() => document.getElementById('said').textContent === 'Saved.')
    await popup.screenshot({ path: join(shots, 'options.png') })
    await until(page, (b) => b !== null && b.includes('of 1k tokens'), 'the window that was set')
    await popup.fill('textarea[name=windows]', '')
    await popup.click('button[data-say=save]')
    await popup.close()
    await page.close()
  })

  await test('Chromium: the conformance vectors pass in the worker', async () => {
    const page = await open('https://chatgpt.com/c/vectors')
    const { passed: n, failures } = await vectors(page)
    if (failures.length > 0 || n < 60) throw new Error(`${n} passed; ${failures.slice(0, 3).join('; ')}`)
    console.log(`      ${n} vectors`)
    await page.close()
  })

  await test('Chromium: no request leaves but the pages\' own', () => {
    const strange = [...requests, ...site.seen.map((s) => `https://${s}`)].filter((u) => !/^https:\/\/(chatgpt\.com|claude\.ai|gemini\.google\.com)\/(c|chat|app|api|favicon)/.test(u))
    same(strange, [], 'requests')
  })
} finally {
  await context.close()
}

async function vectors(page) {
  await page.waitForTimeout(500)
  return page.evaluate(() => new Promise((done) => {
    window.addEventListener('message', (e) => e.data?.ctxConformance?.failures && done(e.data.ctxConformance))
    window.postMessage({ ctxConformance: 'run' })
  }))
}

await test('negative control: without the extension there is no badge', async () => {
  const bare = await launch(null, site.port)
  try {
    const page = await bare.newPage()
    await page.goto('https://chatgpt.com/c/one')
    await page.evaluate(() => fake.add('user', 'hello'))
    await page.waitForTimeout(1500)
    same([await badge(page), await page.evaluate(() => document.querySelector('ctx-lsp-badge'))], [null, null], 'badge')
  } finally {
    await bare.close()
  }
})

await firefox({ test, same, site, dist: dist('test-firefox'), vectors, shots })

await test('permissions are the ones declared, and no more', () => {
  for (const browser of ['chromium', 'firefox']) {
    const m = JSON.parse(readFileSync(join(dist(browser), 'manifest.json'), 'utf8'))
    same(m.permissions, ['storage'], browser)
    same(m.host_permissions.map((h) => new URL(h.replace('*', '')).hostname), ['chatgpt.com', 'chat.openai.com', 'claude.ai', 'gemini.google.com'], browser)
  }
})

await test('every language has every message', () => {
  const keys = (l) => Object.keys(JSON.parse(readFileSync(join(here, '../_locales', l, 'messages.json'), 'utf8'))).sort()
  same(keys('de'), keys('en'), 'de')
})

await test('web-ext lint finds nothing', () => {
  const out = execFileSync(join(here, '../node_modules/.bin/web-ext'), ['lint', '--self-hosted', '--output=json', '--source-dir', dist('firefox')], { maxBuffer: 1 << 26 }).toString()
  const { errors, warnings } = JSON.parse(out.slice(out.indexOf('{')))
  same([errors, warnings].flat().map((w) => `${w.code} ${w.file}`), [], 'lint')
})

await test('the zips are the same for the same sources', () => {
  const sum = () => ['chromium', 'firefox'].map((b) => execFileSync('sha256sum', [join(here, `../dist/ctx-lsp-${b}-${JSON.parse(readFileSync(join(here, '../package.json'), 'utf8')).version}.zip`)]).toString())
  const before = sum()
  execFileSync('node', [join(here, '../build.mjs')])
  same(sum(), before, 'sums')
})

site.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
