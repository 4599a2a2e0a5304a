// Copyright The ctx-lsp authors. MIT licence.

import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

/** The same in Firefox, whose proxy leads the sites' names to the test's server and refuses every other. */
export async function firefox({ test, same, site, dist, vectors, shots }) {
  const strange = []
  const proxy = createServer((_, res) => res.writeHead(403).end())
  proxy.on('connect', (req, socket) => {
    const host = req.url.replace(/:443$/, '')
    if (!['chatgpt.com', 'claude.ai', 'gemini.google.com'].includes(host)) {
      strange.push(host)
      return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    }
    const up = connect(site.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      up.pipe(socket).pipe(up)
    })
    up.on('error', () => socket.destroy())
    socket.on('error', () => up.destroy())
  })
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done))
  const { port } = proxy.address()
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    acceptInsecureCerts: true,
    extraPrefsFirefox: {
      'network.proxy.type': 1, 'network.proxy.ssl': '127.0.0.1', 'network.proxy.ssl_port': port, 'network.proxy.http': '127.0.0.1', 'network.proxy.http_port': port,
      'network.proxy.allow_hijacking_localhost': false, 'extensions.webextensions.restrictedDomains': '', 'extensions.originControls.grantByDefault': true,
      'browser.safebrowsing.downloads.remote.enabled': false, 'app.update.enabled': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
    },
  })
  try {
    await browser.installExtension(dist)
    const open = async (address) => {
      const page = await browser.newPage()
      await page.goto(address)
      return page
    }
    // The closed root hides the badge from the test as from the page; that it is drawn shows in its host, and what it
    // says in the picture.
    const drawn = (page) => page.waitForFunction(() => document.querySelector('ctx-lsp-badge') !== null, { timeout: 15000 })

    await test('Firefox: the badge appears on each site under its strict policy', async () => {
      for (const address of ['https://chatgpt.com/c/one', 'https://claude.ai/chat/one', 'https://gemini.google.com/app/one']) {
        const page = await open(address)
        await page.evaluate(() => { fake.add('user', 'hello'); fake.add('assistant', 'The quick brown fox. '.repeat(2000)) })
        await drawn(page)
        await new Promise((r) => setTimeout(r, 300))
        await page.screenshot({ path: join(shots, `firefox-${new URL(address).hostname}.png`) })
        await page.close()
      }
    })

    await test('Firefox: the conformance vectors pass in the background script', async () => {
      const page = await open('https://chatgpt.com/c/vectors')
      page.waitForTimeout ??= (ms) => new Promise((r) => setTimeout(r, ms))
      const { passed, failures } = await vectors(page)
      if (failures.length > 0 || passed < 60) throw new Error(`${passed} passed; ${failures.slice(0, 3).join('; ')}`)
      console.log(`      ${passed} vectors`)
      await page.close()
    })

    await test('Firefox: the extension asks for no other host', () => {
      // The browser itself looks for its maker's hosts; the extension's own requests would go to others.
      same(strange.filter((h) => !/(mozilla|firefox)\.(org|com|net|cloud)|mozaws|mozgcp|example/.test(h)), [], 'hosts')
    })
  } finally {
    await browser.close()
    proxy.close()
  }
}
