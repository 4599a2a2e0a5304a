// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types'
import type { Settings } from '../settings'

const style = `
:host { all: initial; }
.badge {
  position: fixed; z-index: 2147483000; margin: 12px; font: 12px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums;
  color: #1f2328; background: #ffffffee; border: 1px solid #d0d7de; border-radius: 12px; padding: 2px 10px; cursor: default;
  transition: opacity .15s;
}
.badge:focus-visible { outline: 2px solid #0969da; outline-offset: 1px; }
.badge[data-level=soon] { border-color: #bf8700; background: #fff8c5f2; }
.badge[data-level=now], .badge[data-level=over] { border-color: #cf222e; background: #ffebe9f2; }
.top { top: 44px } .bottom { bottom: 0 } .left { left: 0 } .right { right: 0 }
.panel { display: none; margin-top: 4px; min-width: 220px; max-height: 50vh; overflow: auto; }
.badge:hover .panel, .badge:focus .panel, .badge.open .panel { display: block; }
table { border-collapse: collapse; width: 100%; } td { padding: 0 0 0 8px; } td:first-child { padding: 0; } td + td { text-align: right; }
.note { color: #59636e; margin: 4px 0 0; }
@media (prefers-color-scheme: dark) {
  .badge { color: #e6edf3; background: #161b22ee; border-color: #3d444d; }
  .badge[data-level=soon] { background: #3b2e00f2; } .badge[data-level=now], .badge[data-level=over] { background: #4b1113f2; }
  .note { color: #9198a1; }
}
@media (prefers-reduced-motion: reduce) { .badge { transition: none; } }
@media print { .badge { display: none; } }
`

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key

/**
 * The badge. It lives in a closed shadow root, so that the page neither reads nor styles it, and renders a Reading as it
 * is: every number and every short string in it was decided by the core.
 */
export class Badge {
  private readonly host = document.createElement('ctx-lsp-badge')
  private readonly box = document.createElement('div')
  private readonly line = document.createElement('span')
  private readonly panel = document.createElement('div')
  private corner: Settings['corner'] = 'bottom right'

  constructor(private readonly moved: (corner: Settings['corner']) => void) {
    const root = this.host.attachShadow({ mode: 'closed' })
    const sheet = document.createElement('style')
    sheet.textContent = style
    this.box.className = 'badge'
    this.box.tabIndex = 0
    this.box.setAttribute('role', 'status')
    this.panel.className = 'panel'
    this.box.append(this.line, this.panel)
    root.append(sheet, this.box)
    this.box.addEventListener('keydown', (e) => this.key(e))
  }

  show(reading: Reading, settings: Settings): void {
    this.place(settings.corner)
    const d = reading.display
    const value = settings.format === 'tokens' || d.percent === '?' ? d.used : settings.format === 'percentLeft' ? d.percentLeft : d.percent
    this.line.textContent = d.mark + value + (settings.format === 'tokens' || d.percent === '?' ? '' : ` · ${d.used}`)
    this.box.dataset['level'] = reading.compaction.level
    this.box.setAttribute('aria-label', say('badgeLabel', d.percent, d.used, d.limit, reading.compaction.level))
    this.details(reading)
    this.attach()
  }

  unknown(reason: string, settings: Settings): void {
    this.place(settings.corner)
    this.line.textContent = '?'
    this.box.dataset['level'] = 'ok'
    this.box.setAttribute('aria-label', reason)
    const note = document.createElement('p')
    note.className = 'note'
    note.textContent = reason
    this.panel.replaceChildren(note)
    this.attach()
  }

  hide(): void {
    this.host.remove()
  }

  /** Steps aside when the page's own field is where the badge is. */
  avoid(field: HTMLElement | null): void {
    if (!field || !this.host.isConnected) return
    const at = field.getBoundingClientRect()
    const own = this.box.getBoundingClientRect()
    const meet = at.left < own.right && own.left < at.right && at.top < own.bottom && own.top < at.bottom
    if (meet) this.place(this.corner.startsWith('bottom') ? (this.corner.replace('bottom', 'top') as Settings['corner']) : this.corner)
  }

  private attach(): void {
    if (!this.host.isConnected) document.documentElement.append(this.host)
  }

  private place(corner: Settings['corner']): void {
    this.corner = corner
    this.box.classList.remove('top', 'bottom', 'left', 'right')
    this.box.classList.add(...corner.split(' '))
  }

  private details(reading: Reading): void {
    const table = document.createElement('table')
    for (const row of reading.breakdown) {
      const tr = table.insertRow()
      tr.insertCell().textContent = row.label
      tr.insertCell().textContent = row.tokens.toLocaleString()
    }
    const notes = [say('ofLimit', reading.display.used, reading.display.limit, say('source_' + reading.limitSource))]
    const turns = reading.compaction.turnsLeft
    if (turns) notes.push(say('turnsLeft', String(turns.low), String(turns.high)))
    if (reading.model) notes.push(reading.model)
    if (reading.display.mark === '~') notes.push(say('estimated'))
    this.panel.replaceChildren(
      table,
      ...notes.map((text) => {
        const p = document.createElement('p')
        p.className = 'note'
        p.textContent = text
        return p
      }),
    )
  }

  /** Enter opens and closes the details, Escape closes them, arrows move the badge to another corner. */
  private key(e: KeyboardEvent): void {
    const [vertical, horizontal] = this.corner.split(' ')
    if (e.key === 'Enter' || e.key === ' ') this.box.classList.toggle('open')
    else if (e.key === 'Escape') this.box.classList.remove('open')
    else if (e.key === 'ArrowUp' || e.key === 'ArrowDown' || e.key === 'ArrowLeft' || e.key === 'ArrowRight') {
      const corner = {
        ArrowUp: `top ${horizontal}`,
        ArrowDown: `bottom ${horizontal}`,
        ArrowLeft: `${vertical} left`,
        ArrowRight: `${vertical} right`,
      }[e.key] as Settings['corner']
      this.place(corner)
      this.moved(corner)
    } else return
    e.preventDefault()
    e.stopPropagation()
  }
}
