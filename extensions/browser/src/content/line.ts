// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage, ToPage } from '../messages';

/**
 * The connection to the worker. Only one message is in flight at a time, so that a page that changes faster than it can
 * be counted skips states instead of queueing them. The browser stops an idle worker; the next message connects again,
 * which starts the worker.
 */
export class Line {
  private port: chrome.runtime.Port | null = null;
  private waiting = false;
  private over = false;

  constructor(
    private readonly answered: (m: ToPage) => void,
    /** Called when the worker stopped while a message was in flight. */
    private readonly lost: () => void,
    /** Called when the extension was updated or removed and this script is left over. */
    private readonly orphaned: () => void,
  ) {}

  /** Whether a reply is outstanding. */
  get busy(): boolean {
    return this.waiting;
  }

  /** Whether the next message is the first of its connection. */
  get fresh(): boolean {
    return this.port === null;
  }

  send(m: FromPage): void {
    if (this.isOver()) return;
    this.port ??= this.connect();
    this.waiting = m.type !== 'gone';
    try {
      this.port.postMessage(m);
    } catch {
      this.disconnected(this.port);
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
    port.onDisconnect.addListener(() => this.disconnected(port));
    return port;
  }

  private disconnected(port: chrome.runtime.Port): void {
    if (this.port !== port) return;
    this.port = null;
    // A connection may end shortly before the extension does; messages sent in between get no reply.
    window.setTimeout(() => this.isOver(), 1000);
    if (this.isOver() || !this.waiting) return;
    this.waiting = false;
    this.lost();
  }

  /** Reports whether this script is left over, and calls orphaned the first time it is. */
  private isOver(): boolean {
    if (chrome.runtime?.id) return false;
    if (!this.over) this.orphaned();
    this.over = true;
    return true;
  }
}
