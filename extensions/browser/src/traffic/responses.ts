// Copyright The ctx-lsp authors. MIT licence.

import type { Endpoint } from '../adapter/data';
import { read } from './index';
import { type Facts, fields } from './loaded';

/** A response of the site's server, restricted to the facts that its endpoint carries. */
export interface ResponseFacts extends Facts {
  /** The refusal of a prompt, with its HTTP status. */
  refused?: { error: object; status: number };
}

/** How many responses are read per second, and how much text per minute, so that a page cannot overload the reader. */
const perSecond = 20;
const perMinute = 200_000_000;
const longest = 32_000_000;

/**
 * Reads responses that the wrapper in the page's own world passes on. The page could have forged them, so they are
 * bounded, must belong to an address that the site's file names, and yield only what that address carries.
 */
export class ResponseReader {
  private second = 0;
  private inSecond = 0;
  private minute = 0;
  private text = 0;
  /** How many responses were seen at each address, by its pattern. */
  readonly counts = new Map<string, number>();
  private readonly paths: { endpoint: Endpoint; path: RegExp; idIn: RegExp | null }[];

  constructor(
    answers: readonly Endpoint[],
    private readonly origin: string,
    /** Returns the conversation at an address of the page; null if there is none. */
    private readonly conversationAt: (address: URL) => string | null = () => null,
  ) {
    this.paths = answers.map((endpoint) => ({
      endpoint,
      path: new RegExp(endpoint.path),
      idIn: endpoint.idIn ? new RegExp(endpoint.idIn) : null,
    }));
  }

  read(data: unknown, now: number): ResponseFacts | null {
    const response = fields(fields(data).ctxLspResponse);
    const { url, method, status, body, request, page } = response;
    if (typeof url !== 'string' || typeof body !== 'string' || typeof status !== 'number') return null;
    if (url.length > 4000 || body.length > longest || !this.room(now, body.length)) return null;
    const at = this.endpoint(url, method);
    if (!at) return null;
    this.counts.set(at.endpoint.path, (this.counts.get(at.endpoint.path) ?? 0) + 1);
    const named = at.idIn && typeof request === 'string' ? at.idIn.exec(request.slice(0, 4001))?.groups?.id : undefined;
    const id = named ?? at.groups.id ?? (at.endpoint.ofPage ? this.asking(page) : null);
    if (status >= 400 && status < 600) {
      const error = at.endpoint.carries.includes('refusal') && id !== null ? errorIn(body) : null;
      return error && { conversation: id, refused: { error, status } };
    }
    if (status < 200 || status >= 300) return null;
    const facts = read(at.endpoint, body, at.groups);
    // A response about a conversation other than its address names is ignored.
    if (id !== null && facts.conversation !== null && facts.conversation !== id) return null;
    return carried(facts, at.endpoint, id ?? facts.conversation);
  }

  private endpoint(
    address: string,
    method: unknown,
  ): { endpoint: Endpoint; groups: Record<string, string>; idIn: RegExp | null } | null {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url) return null;
    for (const { endpoint, path, idIn } of this.paths) {
      if (endpoint.method !== method || (url.origin !== this.origin && !endpoint.anywhere)) continue;
      const m = path.exec(url.pathname + url.search);
      if (m) return { endpoint, groups: m.groups ?? {}, idIn };
    }
    return null;
  }

  /** Returns the conversation that the page showed at request time; null if it had no id yet. */
  private asking(page: unknown): string | null {
    if (typeof page !== 'string' || page.length > 4000 || !URL.canParse(page)) return null;
    const url = new URL(page);
    const id = url.origin === this.origin ? this.conversationAt(url) : null;
    return id === 'new' ? null : id;
  }

  private room(now: number, length: number): boolean {
    if (now - this.second > 1000) [this.second, this.inSecond] = [now, 0];
    if (now - this.minute > 60_000) [this.minute, this.text] = [now, 0];
    this.inSecond++;
    this.text += length;
    return this.inSecond <= perSecond && this.text <= perMinute;
  }
}

/** Returns the facts of a response that its endpoint carries. */
function carried(facts: Facts, { carries }: Endpoint, conversation: string | null): ResponseFacts {
  const { loaded, answer, usage, measuredWith, model, limits, windows, plan } = facts;
  return {
    conversation,
    ...(loaded && carries.includes('conversation') && { loaded }),
    ...(answer && carries.includes('answer') && { answer }),
    ...(usage && conversation !== null && carries.includes('usage') && { usage: usage.slice(-4).filter(small) }),
    ...(measuredWith !== undefined && { measuredWith }),
    ...(model && { model: model.slice(0, 200) }),
    ...(limits && carries.includes('limits') && { limits: limits.slice(0, 6) }),
    ...(windows && carries.includes('models') && { windows }),
    ...(plan && plan.length > 0 && carries.includes('plan') && { plan }),
  };
}

const small = ({ usage }: { usage: object }): boolean => JSON.stringify(usage).length <= 4096;

/** Returns the error of a refused request, from the first line with one; null if there is none. */
function errorIn(body: string): object | null {
  for (const line of body.slice(0, 65_536).split('\n')) {
    if (!line.includes('"error"')) continue;
    try {
      const error: unknown = JSON.parse(line.replace(/^data:\s*/, ''));
      if (typeof error === 'object' && error !== null && JSON.stringify(error).length <= 4096) return error;
    } catch {
      // The next line may contain one.
    }
  }
  return null;
}
