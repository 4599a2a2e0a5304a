// Copyright The ctx-lsp authors. MIT licence.

import type { OpenConversation } from '../messages'

const list = document.getElementById('list')!
const say = (key: string): string => chrome.i18n.getMessage(key)

const open = ((await chrome.runtime.sendMessage({ type: 'list' })) ?? []) as OpenConversation[]
open.sort((a, b) => (b.reading.percent ?? -1) - (a.reading.percent ?? -1))
list.replaceChildren(...open.map(row))
if (open.length === 0) list.textContent = say('nothingOpen')

const options = document.getElementById('options')!
options.textContent = say('options')
options.addEventListener('click', () => void chrome.runtime.openOptionsPage())

/** One conversation; a click brings its tab to the front. */
function row(c: OpenConversation): HTMLElement {
  const button = document.createElement('button')
  button.className = `row ${c.reading.compaction.level}`
  const title = document.createElement('span')
  title.className = 'title'
  title.textContent = c.title || c.site
  const n = document.createElement('span')
  n.className = 'n'
  const d = c.reading.display
  n.textContent = `${d.mark}${d.percent} · ${d.used} / ${d.limit}`
  button.append(title, n)
  button.addEventListener('click', () => void chrome.tabs.update(c.tab, { active: true }))
  return button
}
