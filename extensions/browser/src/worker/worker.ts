// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage, FromPopup, OpenConversation, ToPage } from '../messages'
import * as settings from '../settings'
import { Conversation, type Saved } from './conversation'
import { dropCore, getCore } from './core'

/** A tab that shows a conversation. Two tabs of one conversation share its session. */
interface Tab {
  port: chrome.runtime.Port
  key: string
}

const tabs = new Set<Tab>()
const conversations = new Map<string, Conversation>()
let queue: Promise<unknown> = restored()

/** One thing at a time, in the order in which it came. */
function next<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work, work)
  queue = done.catch(() => {})
  return done
}

/** What was kept when the worker was stopped. A ledger that no longer fits is forgotten: the page sends everything again. */
async function restored(): Promise<void> {
  const kept = (await chrome.storage.session.get('conversations'))['conversations'] as Record<string, Saved> | undefined
  if (!kept) return
  const core = await getCore()
  for (const [key, saved] of Object.entries(kept)) {
    try {
      conversations.set(key, await Conversation.restore(core, saved))
    } catch (e) {
      console.warn('A kept conversation could not be restored.', e)
    }
  }
}

let keeping = 0
function keep(): void {
  if (keeping) return
  keeping = setTimeout(() => {
    keeping = 0
    void next(async () => {
      const all: Record<string, Saved> = {}
      for (const [key, c] of conversations) all[key] = await c.saved()
      await chrome.storage.session.set({ conversations: all })
    })
  }, 1000) as unknown as number
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'page' || port.sender?.id !== chrome.runtime.id) return
  const tab: Tab = { port, key: '' }
  tabs.add(tab)
  port.onMessage.addListener((m: FromPage) => void next(() => take(tab, m)))
  port.onDisconnect.addListener(() => {
    tabs.delete(tab)
    void next(() => leave(tab.key))
  })
})

async function take(tab: Tab, m: FromPage): Promise<void> {
  try {
    const answer = await answerTo(tab, m)
    if (!answer) return
    for (const other of tabs) if (other === tab || (answer.type === 'reading' && other.key === tab.key)) post(other, answer)
    keep()
  } catch (e) {
    const core = await getCore().catch(() => null)
    if (!core || core.dead) {
      conversations.clear()
      dropCore()
      post(tab, { type: 'resend' })
      return
    }
    post(tab, { type: 'unknown', reason: e instanceof Error ? e.message : String(e) })
  }
}

async function answerTo(tab: Tab, m: FromPage): Promise<ToPage | null> {
  if (m.type === 'gone') {
    const key = tab.key
    tab.key = ''
    await leave(key)
    return null
  }
  if (m.type === 'sync') {
    const key = `${m.site}/${m.conversation}${m.conversation === 'new' ? '/' + (tab.port.sender?.tab?.id ?? 0) : ''}`
    if (key !== tab.key) {
      const left = tab.key
      tab.key = key
      await leave(left)
    }
    let c = conversations.get(key)
    if (!c) {
      c = await Conversation.open(await getCore(), key, m, await settings.read())
      conversations.set(key, c)
    }
    const reading = await c.sync(m)
    return reading ? { type: 'reading', reading } : { type: 'resend' }
  }
  const c = conversations.get(tab.key)
  if (!c) return { type: 'resend' }
  return { type: 'reading', reading: m.type === 'draft' ? await c.draft(m.text) : await c.usage(m.usage) }
}

/** Closes a conversation that no tab shows any more. */
async function leave(key: string): Promise<void> {
  if (!key || [...tabs].some((t) => t.key === key)) return
  const c = conversations.get(key)
  conversations.delete(key)
  await c?.close()
  keep()
}

function post(tab: Tab, m: ToPage): void {
  try {
    tab.port.postMessage(m)
  } catch {
    tabs.delete(tab)
  }
}

chrome.runtime.onMessage.addListener((m: FromPopup, sender, respond) => {
  if (sender.id !== chrome.runtime.id || m.type !== 'list') return false
  void next(async () => {
    const out: OpenConversation[] = []
    for (const tab of tabs) {
      const c = conversations.get(tab.key)
      if (c) out.push({ site: c.site, title: c.title, tab: tab.port.sender?.tab?.id ?? -1, reading: await c.reading() })
    }
    respond(out)
  })
  return true
})

// A new threshold or window applies to conversations opened from now on; pages send theirs again.
settings.onChange(() => {
  void next(async () => {
    for (const c of conversations.values()) await c.close()
    conversations.clear()
    for (const tab of tabs) post(tab, { type: 'resend' })
  })
})
