// Copyright The ctx-lsp authors. MIT licence.

import type { Sync } from '../messages';
import { type Conversation, follows, type Saved } from './conversation';

const prefix = 'kept ';
const most = 40;

/**
 * Conversations as they were when their page was left or the worker was stopped. They are stored only in the browser's
 * memory. A page that comes back, another tab and a new worker continue from there.
 */
export class Kept {
  private readonly all = new Map<string, Saved>();

  async load(): Promise<void> {
    for (const [key, saved] of Object.entries(await chrome.storage.session.get(null))) {
      if (key.startsWith(prefix)) this.all.set(key.slice(prefix.length), saved as Saved);
    }
  }

  forget(): void {
    this.all.clear();
    void chrome.storage.session.clear();
  }

  /** Stores conversations and drops the oldest ones. */
  async keep(conversations: Iterable<Conversation>): Promise<void> {
    const fresh: Record<string, Saved> = {};
    for (const c of conversations) {
      const saved = await c.saved();
      this.all.delete(c.id);
      this.all.set(c.id, saved);
      fresh[prefix + c.id] = saved;
    }
    const old = [...this.all].sort((a, b) => b[1].at - a[1].at).slice(most);
    for (const [key] of old) this.all.delete(key);
    if (old.length > 0) await chrome.storage.session.remove(old.map(([key]) => prefix + key));
    try {
      await chrome.storage.session.set(fresh);
    } catch {
      // The storage is full. Without the ledgers, the pages send everything again.
      this.forget();
    }
  }

  /**
   * Finds the stored state of the conversation that a page shows: this tab's own, or one that begins like the page;
   * null if there is none.
   */
  find(sync: Sync, tab: number): Saved | null {
    let best: Saved | null = null;
    let bestScore = 0;
    for (const saved of this.all.values()) {
      if (saved.site !== sync.site) continue;
      // A conversation gets its id while its first answer arrives.
      const same = saved.conversation === sync.conversation && (sync.conversation !== 'new' || saved.tab === tab);
      if (!same && !(saved.conversation === 'new' && saved.tab === tab)) continue;
      if (!follows(saved.digests, sync)) continue;
      // A measurement is valid only in the load of the page that it comes from; the next load measures again.
      if (saved.page !== '' && saved.page !== sync.page) continue;
      const score = 2 * alike(saved.digests, sync) + (saved.tab === tab ? 1 : 0);
      if (score > bestScore && score > 1) [best, bestScore] = [saved, score];
    }
    return best;
  }
}

/** Returns how many items at the beginning are equal. */
function alike(digests: number[], sync: Sync): number {
  let n = 0;
  while (n < sync.items.length && sync.items[n]!.digest === digests[sync.from + n]) n++;
  return sync.from + n;
}
