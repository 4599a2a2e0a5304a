// Copyright The ctx-lsp authors. MIT licence.

import { known, presets } from '../adapter/all';
import type { Endpoint } from '../adapter/data';

/**
 * Runs in the page's own world from the first moment on, around its fetch and its XMLHttpRequest. What the page's own
 * server answers at the addresses that the site's file names is passed to the content script as it came; no request is
 * made. The page can change everything here, so nothing that comes from here is trusted.
 */

/** An answer as it is passed on. */
interface Heard {
  url: string;
  method: string;
  status: number;
  body: string;
  /** The beginning and the end of what the page asked with, which may name the conversation. */
  request: string;
  /** The page's address when it asked. */
  page: string;
}

type Asked = Omit<Heard, 'status' | 'body'>;

const textOf = (body: unknown): string =>
  typeof body !== 'string' ? '' : body.length <= 4000 ? body : `${body.slice(0, 2000)}\n${body.slice(-2000)}`;

/** A longer answer is not kept. */
const most = 32_000_000;
/** What came before the content script is there waits for it: so many answers, and so much text. */
const waiting: Heard[] = [];
const mostWaiting = 12;
/** Until the content script says which: those of the site, or of a page that the person has pointed at. */
const site = known.find((s) => s.hosts.includes(location.hostname));
let paths = (site ? site.answers : presets.flatMap((p) => p.answers)).map(pathOf);
let ready = false;

/**
 * After an update the wrapper of the version before is still around the page's functions. It hands over what it has
 * heard, and gives what it still hears to the one that came after it.
 */
type HandOver = (to: (heard: Heard) => void) => Heard[];
const mark = Symbol.for('ctx-lsp wrapper');
const world = window as { [mark]?: HandOver };
let heir: ((heard: Heard) => void) | null = null;
try {
  waiting.push(...(world[mark]?.(pass) ?? []).filter((h) => typeof h?.body === 'string'));
} catch {
  // The page has put something else there.
}
Object.defineProperty(world, mark, {
  configurable: true,
  value: ((to) => {
    heir = to;
    return waiting.splice(0);
  }) satisfies HandOver,
});

const originalFetch = window.fetch;
window.fetch = async function (this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
  const page = location.href;
  const response = await originalFetch.apply(this as Window, args);
  try {
    const [input, init] = args;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const url = response.url || String(input instanceof Request ? input.url : input);
    if (response.body && wanted(url)) void listen(response.clone(), { url, method, request: textOf(init?.body), page });
  } catch {
    // An error here must not affect the page's own answer.
  }
  return response;
};

const { open, send } = XMLHttpRequest.prototype;
const asked = new WeakMap<XMLHttpRequest, Asked>();
XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL, ...rest: unknown[]) {
  asked.set(this, { url: String(url), method: String(method).toUpperCase(), request: '', page: '' });
  return (open as (...a: unknown[]) => void).call(this, method, url, ...rest);
} as typeof open;
XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, ...args: Parameters<typeof send>) {
  const what = asked.get(this);
  try {
    if (what && wanted(what.url)) {
      what.request = textOf(args[0]);
      what.page = location.href;
      this.addEventListener('load', () => xhrLoaded(this, what));
    }
  } catch {
    // Likewise.
  }
  return send.apply(this, args);
};

function xhrLoaded(xhr: XMLHttpRequest, what: Asked): void {
  const text =
    xhr.responseType === '' || xhr.responseType === 'text'
      ? xhr.responseText
      : xhr.responseType === 'json'
        ? JSON.stringify(xhr.response)
        : '';
  if (text && text.length <= most)
    pass({ ...what, url: new URL(what.url, location.href).href, status: xhr.status, body: text });
}

function wanted(address: string): boolean {
  if (heir) return false;
  const url = new URL(address, location.href);
  const here = url.origin === location.origin;
  return paths.some((p) => (here || p.anywhere) && p.path.test(url.pathname + url.search));
}

function pathOf({ path, anywhere }: Pick<Endpoint, 'path' | 'anywhere'>): { path: RegExp; anywhere: boolean } {
  return { path: new RegExp(path), anywhere: anywhere === true };
}

/** Reads an answer beside the page. A stream is passed on when it has ended, and when the page has cut it. */
async function listen(response: Response, asked: Asked): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const parts: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > most) {
        void reader.cancel().catch(() => {});
        return;
      }
      parts.push(value);
    }
  } catch {
    // The stream was cut; what came until then was said.
  }
  pass({ ...asked, url: new URL(asked.url, location.href).href, status: response.status, body: parts.join('') });
}

/**
 * Passes an answer on, and keeps it: the content script begins anew where it is switched on again. Of answers from one
 * address the last one is kept.
 */
function pass(heard: Heard): void {
  if (heir) {
    heir(heard);
    return;
  }
  const same = waiting.findIndex((w) => w.url === heard.url && w.method === heard.method);
  if (same >= 0) waiting.splice(same, 1);
  waiting.push(heard);
  while (waiting.length > mostWaiting || waiting.reduce((n, w) => n + w.body.length, 0) > most) waiting.shift();
  if (ready) window.postMessage({ ctxLspHeard: heard }, location.origin);
}

window.addEventListener('message', (e) => {
  if (e.source !== window || typeof e.data !== 'object' || e.data === null) return;
  const asked: unknown = (e.data as Record<string, unknown>).ctxLspReady;
  if (!Array.isArray(asked)) return;
  ready = true;
  // An imported file may name other addresses.
  try {
    paths = asked.map(pathOf);
  } catch {
    // A pattern that is none leaves the known ones.
  }
  for (const heard of waiting) window.postMessage({ ctxLspHeard: heard }, location.origin);
});
