// Copyright The ctx-lsp authors. MIT licence.

import type { Core } from '../../../../wasm/js/ctx.js'
import type { Ledger, Reading } from '../../../../wasm/js/types'
import { chain, type FromPage } from '../messages'
import type { Settings } from '../settings'

/** What is kept of a conversation when the worker is stopped: digests and the ledger, no text. */
export interface Saved {
  site: string
  conversation: string
  title: string
  model: string
  digests: number[]
  ledger: Ledger
}

type Sync = Extract<FromPage, { type: 'sync' }>

/** A conversation that some page shows, as a session of the core. */
export class Conversation {
  digests: number[] = []
  model = ''
  title = ''
  private provider = ''

  private constructor(
    private readonly core: Core,
    readonly id: string,
    readonly site: string,
    readonly conversation: string,
  ) {}

  static async open(core: Core, id: string, sync: Sync, settings: Settings): Promise<Conversation> {
    const made = new Conversation(core, id, sync.site, sync.conversation)
    made.model = sync.model ?? ''
    made.title = sync.title
    made.provider = { chatgpt: 'openai', claude: 'anthropic', gemini: 'google' }[sync.site] ?? ''
    const window = settings.windows[`${sync.site}/${made.model}`] ?? settings.windows[sync.site]
    await core.call('ctx/session/open', {
      id,
      ...(made.model && { model: made.model }),
      ...(made.provider && { provider: made.provider }),
      route: 'chat',
      label: sync.title.slice(0, 200),
      rule: { percent: settings.threshold },
      ...(window && { limits: { window } }),
    })
    return made
  }

  static async restore(core: Core, saved: Saved): Promise<Conversation> {
    const made = new Conversation(core, saved.ledger.session, saved.site, saved.conversation)
    await core.call('ctx/session/restore', { ledger: saved.ledger })
    made.digests = saved.digests
    made.model = saved.model
    made.title = saved.title
    return made
  }

  /** Takes in what changed on the page; null when page and worker do not agree on what came before. */
  async sync(sync: Sync): Promise<Reading | null> {
    if (sync.from > this.digests.length) return null
    const before = this.digests.slice(0, sync.from).reduce(chain, 0)
    if (before !== sync.before) return null
    this.title = sync.title
    const items = sync.items.map(({ kind, text }) => ({ kind, text }))
    const first = items[0]
    const grew = items.length === 1 && this.digests.length === sync.from + 1 && first !== undefined
    const model = sync.model && sync.model !== this.model ? { model: sync.model } : {}
    const reading = await this.core.call('ctx/session/update', {
      id: this.id,
      ...model,
      ...(grew
        ? { replace: [{ index: sync.from, item: first! }] }
        : { ...(this.digests.length > sync.from && { removeFrom: sync.from }), append: items }),
      at: Date.now(),
    })
    if (sync.model) this.model = sync.model
    this.digests = [...this.digests.slice(0, sync.from), ...sync.items.map((i) => i.digest)]
    return reading
  }

  draft(text: string): Promise<Reading> {
    return this.core.call('ctx/session/update', { id: this.id, draft: text === '' ? null : text })
  }

  /** Usage that the page's own answers carried. The core refuses what is none. */
  usage(usage: unknown): Promise<Reading> {
    return this.core.call('ctx/session/usage', { id: this.id, usage, ...(this.provider && { provider: this.provider }) })
  }

  reading(): Promise<Reading> {
    return this.core.call('ctx/session/reading', { id: this.id })
  }

  async saved(): Promise<Saved> {
    const { ledger } = await this.core.call('ctx/session/save', { id: this.id })
    return { site: this.site, conversation: this.conversation, title: this.title, model: this.model, digests: this.digests, ledger }
  }

  async close(): Promise<void> {
    await this.core.call('ctx/session/close', { id: this.id })
  }
}
