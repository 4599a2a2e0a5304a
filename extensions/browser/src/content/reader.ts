// Copyright The ctx-lsp authors. MIT licence.

import { chain, digest, type PageItem } from '../messages';
import { plausible, type Site } from '../sites/site';

/** What a page shows, and from which piece on it differs from what was sent to the worker. */
export interface Seen {
  from: number;
  before: number;
  items: PageItem[];
  /** Whether something else was sent to the worker, or nothing yet. */
  changed: boolean;
  /** How many attached files there are whose content the page does not show. */
  files: number;
}

interface Message {
  items: PageItem[];
  files: number;
}

/** A longer message is no chat any more, and would take too long to count. */
const longest = 4_000_000;

/**
 * Reads messages, and reads them again only where the page has changed. So a page that rewrites itself costs the
 * messages that it has touched, and not the whole conversation.
 */
export class Reader {
  private known = new WeakMap<Element, Message>();
  private sent: number[] | null = null;

  constructor(private readonly site: Site) {}

  /** Forgets what was read of the message around a node that changed. */
  touch(node: Node): void {
    for (let e = node instanceof Element ? node : node.parentElement; e; e = e.parentElement) this.known.delete(e);
  }

  /** Sets what the worker has, as the worker itself has said. */
  worker(has: number[] | null): void {
    this.sent = has;
  }

  /**
   * How many pieces the page shows; 'unknown' for a page that cannot be understood, 'empty' for one without messages.
   */
  read(page: Document): Seen | 'unknown' | 'empty' | 'tooLong' {
    const turns = this.site.turns(page).filter((t) => !t.shell);
    if (turns.some((t) => t.messages.length === 0)) return 'unknown';
    const messages = turns.flatMap((t) => t.messages).map((e) => this.message(e));
    const items = messages.flatMap((m) => m.items);
    if (!plausible(items)) return 'unknown';
    if (items.some((i) => i.text.length > longest)) return 'tooLong';
    if (items.length === 0 && this.site.conversation(new URL(location.href)) !== 'new') return 'empty';
    const sent = this.sent ?? [];
    let from = 0;
    let before = 0;
    while (from < items.length && from < sent.length && items[from]!.digest === sent[from]) {
      before = chain(before, items[from]!.digest);
      from++;
    }
    return {
      from,
      before,
      items: items.slice(from),
      changed: this.sent === null || from < items.length || from < sent.length,
      files: messages.reduce((n, m) => n + m.files, 0),
    };
  }

  /** Takes note that the worker is being sent what was seen. */
  sending(seen: Seen): void {
    this.sent = [...(this.sent ?? []).slice(0, seen.from), ...seen.items.map((i) => i.digest)];
  }

  private message(element: Element): Message {
    let message = this.known.get(element);
    if (!message) {
      const kind = this.site.kind(element);
      const text = this.site.text(element);
      const { images, files } = this.site.attachments(element);
      message = {
        items: [{ kind, text, digest: digest(text, digest(kind)) }, ...images.filter(isContent).map(image)],
        files,
      };
      this.known.set(element, message);
    }
    return message;
  }
}

/** Icons and avatars belong to the page, and an image that is not loaded yet has no size. */
const isContent = (i: HTMLImageElement): boolean => i.naturalWidth >= 64 && i.naturalHeight >= 64;

function image(i: HTMLImageElement): PageItem {
  const { naturalWidth: width, naturalHeight: height } = i;
  return { kind: 'media', text: '', mediaType: 'image/png', width, height, digest: digest(`image ${width} ${height}`) };
}
