// Copyright The ctx-lsp authors. MIT licence.

/** What the person has set; everything has a default that works. */
export interface Settings {
  /** What the badge prints. */
  format: 'percent' | 'percentLeft' | 'tokens'
  /** Sites on which the badge is switched off, by their ids. */
  off: string[]
  /** Windows the person knows better than the registry, by site or by `site/model`. */
  windows: Record<string, number>
  /** From how many percent of the window a conversation is `now`. */
  threshold: number
  corner: 'top right' | 'bottom right' | 'bottom left' | 'top left'
}

export const defaults: Settings = { format: 'percent', off: [], windows: {}, threshold: 90, corner: 'bottom right' }

/** Reads the settings; what is of the wrong type counts as not set. */
export async function read(): Promise<Settings> {
  const stored = (await chrome.storage.local.get('settings'))['settings'] as Partial<Settings> | undefined
  const out: Settings = { ...defaults }
  if (!stored || typeof stored !== 'object') return out
  if (stored.format === 'percent' || stored.format === 'percentLeft' || stored.format === 'tokens') out.format = stored.format
  if (Array.isArray(stored.off)) out.off = stored.off.filter((s) => typeof s === 'string')
  if (stored.windows && typeof stored.windows === 'object') {
    out.windows = {}
    for (const [k, v] of Object.entries(stored.windows)) if (Number.isInteger(v) && v > 0) out.windows[k] = v
  }
  if (typeof stored.threshold === 'number' && stored.threshold > 0 && stored.threshold <= 100) out.threshold = stored.threshold
  if (stored.corner && ['top right', 'bottom right', 'bottom left', 'top left'].includes(stored.corner)) out.corner = stored.corner
  return out
}

export async function write(settings: Settings): Promise<void> {
  await chrome.storage.local.set({ settings })
}

export function onChange(listener: (settings: Settings) => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (changes['settings']) void read().then(listener)
  })
}
