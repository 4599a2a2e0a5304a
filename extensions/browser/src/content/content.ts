// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage, ToPage } from '../messages'
import { siteFor } from '../sites/index'
import type { Pointed } from '../sites/generic'
import { type Site, typed } from '../sites/site'
import * as settings from '../settings'
import { Badge } from './badge'
import { Reader } from './reader'

/** A first change is read at once; while the page goes on changing it is read when it settles, or this often at most. */
const settle = 80
const atMost = 250

/**
 * One page: it reads what changed, sends that to the worker, and draws what comes back. Everything it starts ends with
 * its signal.
 */
class Page {
  private port: chrome.runtime.Port | null = null
  private reader: Reader
  private conversation = ''
  private timer = 0
  private since = 0
  private read = -Infinity
  private readonly badge: Badge
  private last: ToPage | null = null
  private drafted = ''
  private drafting = false

  constructor(
    private readonly site: Site,
    private set: settings.Settings,
    private readonly signal: AbortSignal,
  ) {
    this.reader = new Reader(site)
    this.badge = new Badge((corner) => void settings.write({ ...this.set, corner }))
    const observer = new MutationObserver((records) => {
      for (const r of records) this.reader.touch(r.target)
      this.schedule()
    })
    observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true })
    signal.addEventListener('abort', () => {
      observer.disconnect()
      clearTimeout(this.timer)
      this.port?.disconnect()
      this.badge.hide()
    })
    document.addEventListener('input', (e) => this.input(e), { capture: true, passive: true, signal })
    window.addEventListener('message', (e) => this.heard(e), { signal })
    this.connect()
    this.schedule()
  }

  settings(set: settings.Settings): void {
    this.set = set
    this.draw()
  }

  private connect(): void {
    if (this.signal.aborted || !chrome.runtime?.id) return
    this.port = chrome.runtime.connect({ name: 'page' })
    this.port.onMessage.addListener((m: ToPage) => this.answer(m))
    this.port.onDisconnect.addListener(() => {
      // The worker was stopped. It will be started by the next message.
      this.port = null
      if (!this.signal.aborted) setTimeout(() => this.schedule(), 0)
    })
  }

  private send(m: FromPage): void {
    if (!this.port) this.connect()
    this.port?.postMessage(m)
  }

  private schedule(): void {
    const now = performance.now()
    if (this.timer) {
      if (now - this.since > atMost) return
      clearTimeout(this.timer)
    } else this.since = now
    this.timer = window.setTimeout(
      () => {
        this.timer = 0
        this.read = performance.now()
        this.sync()
      },
      now - this.read > atMost ? 0 : settle,
    )
  }

  private sync(): void {
    const conversation = this.site.conversation(new URL(location.href))
    if (conversation === null) {
      if (this.conversation) this.send({ type: 'gone' })
      this.conversation = ''
      this.badge.hide()
      return
    }
    if (conversation !== this.conversation || !this.port) {
      this.conversation = conversation
      this.reader.resend()
      this.drafted = ''
    }
    const change = this.reader.read(document)
    if (change === 'unknown') {
      this.answer({ type: 'unknown', reason: chrome.i18n.getMessage('pageChanged') })
      return
    }
    if (change) {
      this.send({ type: 'sync', site: this.site.id, conversation, title: document.title, model: this.site.model(document), ...change })
    }
    this.draft()
  }

  /** A keystroke costs this: whether it was in the page's field. The text is read when the browser has time. */
  private input(e: Event): void {
    if (this.drafting || !(e.target instanceof Node)) return
    this.drafting = true
    requestIdleCallback(
      () => {
        this.drafting = false
        this.draft()
      },
      { timeout: 200 },
    )
  }

  private draft(): void {
    const field = this.site.draft(document)
    const text = field ? typed(field) : ''
    if (text === this.drafted) return
    this.drafted = text
    this.send({ type: 'draft', text: text.slice(0, 1_000_000) })
    this.badge.avoid(field)
  }

  /** What the wrapper in the page's own world found. The page could have written it itself: it is passed on as data only. */
  private heard(e: MessageEvent): void {
    if (e.source !== window || e.origin !== location.origin || !e.data || e.data.ctxLspUsage === undefined) return
    let usage: string
    try {
      usage = JSON.stringify(e.data.ctxLspUsage)
    } catch {
      return
    }
    if (!usage || usage.length > 4096) return
    this.send({ type: 'usage', usage: JSON.parse(usage) })
  }

  private answer(m: ToPage): void {
    if (m.type === 'resend') {
      this.reader.resend()
      this.drafted = ''
      this.schedule()
      return
    }
    this.last = m
    this.draw()
  }

  private draw(): void {
    if (this.set.off.includes(this.site.id)) this.badge.hide()
    else if (this.last?.type === 'reading') this.badge.show(this.last.reading, this.set)
    else if (this.last?.type === 'unknown') this.badge.unknown(this.last.reason, this.set)
  }
}

async function start(): Promise<void> {
  if (window.top !== window) return
  const pointed = ((await chrome.storage.local.get('pointed'))['pointed'] ?? []) as Pointed[]
  const site = siteFor(new URL(location.href), Array.isArray(pointed) ? pointed : [])
  if (!site) return
  const page = new Page(site, await settings.read(), new AbortController().signal)
  settings.onChange((set) => page.settings(set))
}

void start()
