// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage, ToPage } from '../messages';

/**
 * The connection to the worker. Only one message is under way at a time, so that a page which changes faster than it
 * can be counted skips states instead of queueing them. The browser stops an idle worker; when there is something to
 * say, the connection is made again, which starts the worker.
 */
export class Line {
  private port: chrome.runtime.Port | null = null;
  private waiting = false;

  constructor(
    private readonly answered: (m: ToPage) => void,
    /** Called when the worker has stopped while a message was under way. */
    private readonly lost: () => void,
    /** Called when the extension was updated or removed, and this script is left over. */
    private readonly orphaned: () => void,
  ) {}

  /** Whether an answer is outstanding. */
  get busy(): boolean {
    return this.waiting;
  }

  /** Whether the next message is the first of its connection. */
  get fresh(): boolean {
    return this.port === null;
  }

  send(m: FromPage): void {
    if (!chrome.runtime?.id) {
      this.orphaned();
      return;
    }
    this.port ??= this.connect();
    this.waiting = m.type !== 'gone';
    try {
      this.port.postMessage(m);
    } catch {
      this.gone(this.port);
    }
  }

  close(): void {
    this.port?.disconnect();
    this.port = null;
    this.waiting = false;
  }

  private connect(): chrome.runtime.Port {
    const port = chrome.runtime.connect({ name: 'page' });
    port.onMessage.addListener((m: ToPage) => {
      this.waiting = false;
      this.answered(m);
    });
    port.onDisconnect.addListener(() => this.gone(port));
    return port;
  }

  private gone(port: chrome.runtime.Port): void {
    if (this.port !== port) return;
    this.port = null;
    if (!chrome.runtime?.id) {
      this.orphaned();
      return;
    }
    if (!this.waiting) return;
    this.waiting = false;
    this.lost();
  }
}
