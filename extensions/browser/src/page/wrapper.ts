// Copyright The ctx-lsp authors. MIT licence.

import { known, presets } from '../adapter/all';
import type { Endpoint } from '../adapter/data';

/**
 * Runs in the page's own world from the start, around its fetch and its XMLHttpRequest. Responses of the page's own
 * server at the addresses that the site's file names are passed to the content script unchanged; no request is added.
 * The page can change everything here, so nothing from here is trusted.
 */

/** A response as it is passed on. */
interface PageResponse {
  url: string;
  method: string;
  status: number;
  body: string;
  /** The beginning and the end of the request, which may name the conversation. */
  request: string;
  /** The page's address at request time. */
  page: string;
}

type PageRequest = Omit<PageResponse, 'status' | 'body'>;

const textOf = (body: unknown): string =>
  typeof body !== 'string' ? '' : body.length <= 4000 ? body : `${body.slice(0, 2000)}\n${body.slice(-2000)}`;

/** Longer responses are dropped. */
const most = 32_000_000;
/** Responses that arrive before the content script wait for it; their number and total length are limited. */
const waiting: PageResponse[] = [];
const mostWaiting = 12;
/**
 * The addresses until the content script sends its own: those of the site, or of any page that the user may have
 * pointed at.
 */
const site = known.find((s) => s.hosts.includes(location.hostname));
let paths = (site ? site.answers : presets.flatMap((p) => p.answers)).map(pathOf);
let ready = false;

/**
 * After an update, the previous version's wrapper is still around the page's functions. It hands over the responses it
 * has kept, and forwards later ones to its successor.
 */
type HandOver = (to: (response: PageResponse) => void) => PageResponse[];
const mark = Symbol.for('ctx-lsp wrapper');
const world = window as { [mark]?: HandOver };
let heir: ((response: PageResponse) => void) | null = null;
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
    // An error here must not affect the page's own response.
  }
  return response;
};

const { open, send } = XMLHttpRequest.prototype;
const asked = new WeakMap<XMLHttpRequest, PageRequest>();
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
    // An error here must not affect the page's own request.
  }
  return send.apply(this, args);
};

function xhrLoaded(xhr: XMLHttpRequest, what: PageRequest): void {
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

/** Reads a copy of a response. A stream is passed on when it ends or the page aborts it. */
async function listen(response: Response, asked: PageRequest): Promise<void> {
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
    // The stream was aborted; the text received so far is passed on.
  }
  pass({ ...asked, url: new URL(asked.url, location.href).href, status: response.status, body: parts.join('') });
}

/**
 * Passes a response on and keeps it, because the content script may start again when it is switched on. Only the latest
 * response from each address is kept.
 */
function pass(response: PageResponse): void {
  if (heir) {
    heir(response);
    return;
  }
  const same = waiting.findIndex((w) => w.url === response.url && w.method === response.method);
  if (same >= 0) waiting.splice(same, 1);
  waiting.push(response);
  while (waiting.length > mostWaiting || waiting.reduce((n, w) => n + w.body.length, 0) > most) waiting.shift();
  if (ready) window.postMessage({ ctxLspResponse: response }, location.origin);
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
    // If a pattern is invalid, keep the known ones.
  }
  for (const response of waiting) window.postMessage({ ctxLspResponse: response }, location.origin);
});
