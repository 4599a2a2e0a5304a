// Copyright The ctx-lsp authors. MIT licence.

/**
 * Runs in the page's own world, around its fetch: where an answer of the page's own server carries a usage object, that is
 * passed to the content script. Everything here is the page's to change; nothing that comes out of it is trusted.
 */
const most = 1 << 20
const original = window.fetch

window.fetch = async function (this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await original.apply(this as Window, args)
  try {
    const url = new URL(response.url, location.href)
    const type = response.headers.get('content-type') ?? ''
    if (url.origin === location.origin && response.body && /event-stream|json/.test(type)) void listen(response.clone())
  } catch {
    // The page's own answer is what matters.
  }
  return response
}

async function listen(response: Response): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let line = ''
  let seen = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (value) {
        seen += value.length
        line += value
        const lines = line.split('\n')
        line = lines.pop()!
        for (const l of lines) find(l)
      }
      if (done || seen > most || line.length > most) break
    }
    find(line)
  } catch {
    // The stream was cut; so be it.
  }
  void reader.cancel().catch(() => {})
}

function find(line: string): void {
  if (line.length > 65536 || !/"usage(Metadata)?"/.test(line)) return
  const json = line.replace(/^data:\s*/, '')
  try {
    const event = JSON.parse(json) as Record<string, unknown>
    if (event && typeof event === 'object') window.postMessage({ ctxLspUsage: slim(event) }, location.origin)
  } catch {
    // Not JSON.
  }
}

/** Keeps what may be usage and drops texts. */
function slim(event: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(event, (key, value) => (typeof value === 'string' && value.length > 100 ? undefined : key === 'content' ? undefined : value)))
}
