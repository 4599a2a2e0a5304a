// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import type { FromPage, Request, Sync, ToPage } from '../messages';
import * as settings from '../settings';
import { Conversation } from './conversation';
import { dropCore, getCore } from './core';
import { afterInstall } from './installed';
import { Kept } from './kept';
import { withLines } from './look';
import { keepPointed, point } from './pointing';
import { toolbar } from './toolbar';

/**
 * A tab that shows a conversation. Each tab has its own session, because two tabs may show different branches of one
 * conversation.
 */
interface Tab {
  port: chrome.runtime.Port;
  id: number;
  key: string;
  /** Whether its window is private, so that nothing of it is stored. */
  secret: boolean;
  /** How often the core has crashed on this tab's messages since its last successful reply. */
  crashes: number;
}

const tabs = new Set<Tab>();
const conversations = new Map<string, Conversation>();
const kept = new Kept();
let current: settings.Settings = settings.defaults;
let queue: Promise<unknown> = Promise.all([kept.load(), settings.read().then((s) => (current = s)), getCore()]).catch(
  () => {},
);

afterInstall();

/** Runs one thing at a time, in the order of arrival. */
function next<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work, work);
  queue = done.catch(() => {});
  return done;
}

let keeping = false;
function keepSoon(): void {
  if (keeping) return;
  keeping = true;
  setTimeout(() => {
    keeping = false;
    void next(() => kept.keep([...conversations.values()].filter((c) => c.dirty && !c.secret)));
  }, 500);
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'page' || port.sender?.id !== chrome.runtime.id) return;
  const tab: Tab = {
    port,
    id: port.sender?.tab?.id ?? -1,
    secret: port.sender?.tab?.incognito ?? false,
    key: '',
    crashes: 0,
  };
  tabs.add(tab);
  port.onMessage.addListener((m: FromPage) => void next(() => take(tab, m)));
  port.onDisconnect.addListener(() => {
    tabs.delete(tab);
    void next(() => leave(tab));
  });
});

async function take(tab: Tab, m: FromPage): Promise<void> {
  try {
    if (m.type === 'gone') {
      toolbar(tab.id, null);
      await leave(tab);
      return;
    }
    const answer = await answerTo(tab, m);
    if (answer.type === 'reading') {
      tab.crashes = 0;
      toolbar(tab.id, answer.reading);
    }
    post(tab, answer);
    keepSoon();
  } catch (fault) {
    const core = await getCore().catch(() => null);
    if (core?.dead) {
      await revive().catch(() => conversations.clear());
      // The page sends what is missing. A message that crashes the core every time must not be retried forever.
      if (++tab.crashes < 3) return post(tab, { type: 'have', digests: conversations.get(tab.key)?.has ?? [] });
    }
    toolbar(tab.id, null);
    post(tab, { type: 'unknown', reason: fault instanceof Error ? fault.message : String(fault) });
  }
}

/**
 * Moves the conversations to another core after a crash. A conversation that crashes it as well is dropped and sent
 * again by its page.
 */
async function revive(): Promise<void> {
  for (;;) {
    dropCore();
    const core = await getCore();
    for (const [key, c] of conversations) {
      if (core.dead) break;
      await c.moveTo(core).catch(async () => {
        conversations.delete(key);
        await c.close().catch(() => {});
      });
    }
    if (!core.dead) return;
  }
}

async function answerTo(tab: Tab, m: Exclude<FromPage, { type: 'gone' }>): Promise<ToPage> {
  if (m.type === 'sync') {
    let c = await conversationOf(tab, m);
    if (c?.recounts(m)) {
      if (m.from > 0) return { type: 'have', digests: [] };
      await c.close();
      c = await Conversation.open(await getCore(), tab.key, tab, m, current);
      conversations.set(tab.key, c);
    }
    const reading = await c?.sync(m);
    return c && reading ? shownTo(c, reading) : { type: 'have', digests: c?.has ?? [] };
  }
  const c = conversations.get(tab.key);
  if (!c) return { type: 'have', digests: [] };
  const reading =
    m.type === 'draft'
      ? c.draft(m.text)
      : m.type === 'usage'
        ? c.usage(m.usage, m.provider, m.whole)
        : c.refused(m.error, m.status);
  return shownTo(c, await reading);
}

/** Returns a Reading in the form that a page gets. */
async function shownTo(c: Conversation, reading: Reading): Promise<Extract<ToPage, { type: 'reading' }>> {
  const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;
  const reported = c.reported(reading);
  return {
    type: 'reading',
    reading: await withLines(await getCore(), await c.inWords(), current.format, say, c.part, reported),
    crossed: await c.crossed(reading),
    passes: c.passes(reading),
  };
}

/**
 * Returns the conversation that a tab shows: an open one, a stored one, a copy of another tab's, or a new one. Returns
 * null if it is none of these and its beginning is missing.
 */
async function conversationOf(tab: Tab, sync: Sync): Promise<Conversation | null> {
  const key = `${sync.site}/${sync.conversation}@${tab.id}`;
  if (key !== tab.key) {
    await leave(tab);
    tab.key = key;
  }
  const open = conversations.get(key);
  if (open) return open;
  await kept.keep([...conversations.values()].filter((c) => c.dirty && !c.secret && c.site === sync.site));
  const saved = tab.secret ? null : kept.find(sync, tab.id);
  if (!saved && sync.from > 0) return null;
  const core = await getCore();
  const made = await (saved && Conversation.restore(core, key, tab, sync, saved, current).catch(() => null));
  // A ledger that can no longer be read is treated as missing.
  if (!made && sync.from > 0) return null;
  const c = made ?? (await Conversation.open(core, key, tab, sync, current));
  conversations.set(key, c);
  return c;
}

/** Stores and closes a conversation that its tab no longer shows. */
async function leave(tab: Tab): Promise<void> {
  const { key } = tab;
  tab.key = '';
  const c = conversations.get(key);
  if (!c || [...tabs].some((t) => t.key === key)) return;
  conversations.delete(key);
  if (!c.secret) await kept.keep([c]);
  await c.close();
}

function post(tab: Tab, m: ToPage): void {
  try {
    tab.port.postMessage(m);
  } catch {
    tabs.delete(tab);
  }
}

chrome.runtime.onMessage.addListener((m: Request, sender) => {
  if (sender.id !== chrome.runtime.id) return;
  if (m.type === 'options') void chrome.runtime.openOptionsPage();
  if (m.type === 'packs') void next(reload);
  if (m.type === 'point') void point(m.address).catch(() => {});
  if (m.type === 'pointed' && sender.tab) {
    const { user, assistant, draft } = m;
    void keepPointed(sender.tab, { user, assistant, draft }).catch(() => {});
  }
});

/** Recounts everything, because a vocabulary was imported or removed. */
async function reload(): Promise<void> {
  conversations.clear();
  kept.forget();
  dropCore();
  for (const tab of tabs) {
    tab.key = '';
    post(tab, { type: 'have', digests: [] });
  }
}

settings.onChange(() => {
  void next(async () => {
    current = await settings.read();
    for (const tab of tabs) {
      const c = conversations.get(tab.key);
      if (!c) continue;
      const answer = await shownTo(c, await c.apply(current));
      toolbar(tab.id, answer.reading);
      post(tab, answer);
    }
  });
});
