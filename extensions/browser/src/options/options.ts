// Copyright The ctx-lsp authors. MIT licence.

import { sites } from '../sites/index'
import type { Pointed } from '../sites/generic'
import * as settings from '../settings'

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args)
for (const e of document.querySelectorAll<HTMLElement>('[data-say]')) e.textContent = say(e.dataset['say']!)

const form = document.getElementById('form') as HTMLFormElement
const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement
const said = document.getElementById('said')!
const set = await settings.read()

field('format').value = set.format
field('corner').value = set.corner
field('threshold').value = String(set.threshold)
field('windows').value = Object.entries(set.windows)
  .map(([k, v]) => `${k} ${v}`)
  .join('\n')
const kept = ((await chrome.storage.local.get('pointed'))['pointed'] ?? []) as Pointed[]
field('pointed').value = kept.map((p) => [`https://${p.host}`, p.user || '-', p.assistant || '-', p.draft || '-', p.model || '-'].join(' ')).join('\n')
const boxes = document.getElementById('sites')!
for (const site of sites) {
  const label = document.createElement('label')
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.name = `on-${site.id}`
  box.checked = !set.off.includes(site.id)
  label.append(box, ' ', site.name)
  boxes.append(label)
}
await listPacks()

form.addEventListener('submit', (e) => {
  e.preventDefault()
  void save().catch((fault: unknown) => (said.textContent = fault instanceof Error ? fault.message : String(fault)))
})

async function save(): Promise<void> {
  const windows: Record<string, number> = {}
  for (const line of lines('windows')) {
    const m = /^(\S+)\s+(\d+)$/.exec(line)
    if (!m || Number(m[2]) <= 0) throw new Error(say('badLine', line))
    windows[m[1]!] = Number(m[2])
  }
  const pointed: Pointed[] = []
  for (const line of lines('pointed')) {
    const [address, ...rest] = line.split(/\s+/)
    let host: string
    try {
      host = new URL(address!).hostname
    } catch {
      throw new Error(say('badLine', line))
    }
    const [user = '', assistant = '', draft = '', model = ''] = rest.map((s) => (s === '-' ? '' : s))
    pointed.push({ host, user, assistant, draft, model })
  }
  // A page that the person points at needs the person's permission, asked for here and nowhere else.
  const origins = pointed.map((p) => `https://${p.host}/*`)
  if (origins.length > 0 && !(await chrome.permissions.request({ origins, permissions: ['scripting'] }))) throw new Error(say('notPermitted'))
  await chrome.storage.local.set({ pointed })
  if (origins.length > 0) {
    const id = 'pointed'
    const known = await chrome.scripting.getRegisteredContentScripts({ ids: [id] })
    const script = { id, matches: origins, js: ['content.js'], runAt: 'document_idle' as const }
    await (known.length > 0 ? chrome.scripting.updateContentScripts([script]) : chrome.scripting.registerContentScripts([script]))
  }
  await settings.write({
    format: field('format').value as settings.Settings['format'],
    corner: field('corner').value as settings.Settings['corner'],
    threshold: Number(field('threshold').value) || settings.defaults.threshold,
    windows,
    off: sites.filter((s) => !field(`on-${s.id}`).checked).map((s) => s.id),
  })
  said.textContent = say('saved')
}

function lines(name: string): string[] {
  return field(name)
    .value.split('\n')
    .map((l) => l.trim())
    .filter(Boolean)
}

document.getElementById('pack')!.addEventListener('change', (e) => {
  const file = (e.target as HTMLInputElement).files?.[0]
  if (file) void importPack(file).catch((fault: unknown) => (said.textContent = String(fault)))
})

/** Keeps a pack under its file's name; the core refuses a damaged one when it is first needed. */
async function importPack(file: File): Promise<void> {
  if (file.size > 8 << 20) throw new Error(say('packTooLarge'))
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  await chrome.storage.local.set({ [`pack:${file.name.replace(/\.ctxv$/, '')}`]: btoa(text) })
  await listPacks()
}

async function listPacks(): Promise<void> {
  const all = await chrome.storage.local.get(null)
  const names = Object.keys(all).filter((k) => k.startsWith('pack:'))
  document.getElementById('packs')!.textContent = names.map((n) => n.slice(5)).join(', ')
}
