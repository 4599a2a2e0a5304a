// Copyright The ctx-lsp authors. MIT licence.

/**
 * Runs in the page's own world, around its fetch. Where an answer of the page's own server carries a usage object, or
 * refuses a prompt, that is passed to the content script. The page can change everything here, so nothing that comes
 * from here is trusted.
 */
const most = 1 << 20;
const original = window.fetch;

window.fetch = async function (this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await original.apply(this as Window, args);
  try {
    const url = new URL(response.url, location.href);
    const type = response.headers.get('content-type') ?? '';
    if (url.origin === location.origin && response.body && /event-stream|json/.test(type))
      void listen(response.clone());
  } catch {
    // An error here must not affect the page's own answer.
  }
  return response;
};

/** Reads an answer line by line. It stops in an answer that is longer than any with usage in it. */
async function listen(response: Response): Promise<void> {
  const find = response.ok ? usageIn : (line: string) => errorIn(line, response.status);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let line = '';
  let seen = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) {
        seen += value.length;
        const lines = (line + value).split('\n');
        line = lines.pop()!;
        lines.forEach(find);
      }
      if (
        done ||
        line.length > most ||
        (seen > most && !(response.headers.get('content-type') ?? '').includes('event-stream'))
      )
        break;
    }
    find(line);
  } catch {
    // The stream was cut, and nothing more can be read.
  }
  void reader.cancel().catch(() => {});
}

function usageIn(line: string): void {
  if (line.length > 65536 || !/"usage(Metadata)?"/.test(line)) return;
  const event = parse(line);
  if (event) window.postMessage({ ctxLspUsage: slim(event, 100) }, location.origin);
}

function errorIn(line: string, status: number): void {
  if (line.length > 65536 || !line.includes('"error"')) return;
  const error = parse(line);
  if (error) window.postMessage({ ctxLspError: slim(error, 1000), status }, location.origin);
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line.replace(/^data:\s*/, ''));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Keeps what may be usage, and drops texts. */
function slim(event: object, longest: number): unknown {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) =>
      (typeof value === 'string' && value.length > longest) || key === 'content' ? undefined : value,
    ),
  );
}
