// Copyright The ctx-lsp authors. MIT licence.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** Chromium with the extension, to which the sites' names lead to the test's server and every other name nowhere. */
export async function launch(extension, port) {
  const map = ['chatgpt.com', 'claude.ai', 'gemini.google.com'].map((h) => `MAP ${h}:443 127.0.0.1:${port}`).join(', ')
  const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'ctx-chromium-')), {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    ignoreHTTPSErrors: true,
    viewport: { width: 1000, height: 700 },
    args: [
      ...(extension ? [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`] : []),
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--ignore-certificate-errors', `--host-resolver-rules=${map}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  return context
}

/** The extension's worker. */
export async function worker(context) {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 15000 }))
}

/**
 * What the badge says, read as assistive technology reads it: the page's own scripts cannot look into its closed root,
 * and neither can this test.
 */
export async function badge(page) {
  const session = await page.context().newCDPSession(page)
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const status = nodes.find((n) => n.role?.value === 'status' && !n.ignored && /Context|cannot be read|unknown/.test(n.name?.value ?? ''))
    return status?.name?.value ?? null
  } finally {
    await session.detach()
  }
}

/** Waits until the badge says what it should. */
export async function until(page, wanted, what, timeout = 8000) {
  const end = Date.now() + timeout
  let last = null
  while (Date.now() < end) {
    last = await badge(page)
    if (wanted(last)) return last
    await page.waitForTimeout(50)
  }
  throw new Error(`${what}: the badge says ${JSON.stringify(last)}`)
}
