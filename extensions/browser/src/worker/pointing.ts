// Copyright The ctx-lsp authors. MIT licence.

import type { Pointed } from '../adapter/pointed';
import * as settings from '../settings';
import { inject, register } from './scripts';

/** How long a page may take to load before the picker is shown anyway. */
const atMost = 15_000;

/**
 * Shows the picker on a page: in a tab that has it open, otherwise in a new one. The user has already granted the
 * permission.
 */
export async function point(address: string): Promise<void> {
  const { origin, protocol, hostname } = new URL(address);
  const open = await chrome.tabs.query({ url: `${protocol}//${hostname}/*` });
  const here = open.find((t) => t.url && new URL(t.url).origin === origin);
  const tab = here ?? (await chrome.tabs.create({ url: address }));
  if (tab.id === undefined) return;
  if (here) await chrome.tabs.update(tab.id, { active: true });
  await loaded(tab.id);
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ['pick.js'] });
}

/** Stores the selectors that the user picked on a page, and starts reading it at once. */
export async function keepPointed(tab: chrome.tabs.Tab, chosen: Omit<Pointed, 'origin' | 'model'>): Promise<void> {
  if (!tab.url || tab.id === undefined) return;
  const { origin } = new URL(tab.url);
  const before = await settings.pointed();
  const model = before.find((p) => p.origin === origin)?.model ?? '';
  const pages = [...before.filter((p) => p.origin !== origin), { origin, model, ...chosen }];
  await chrome.storage.local.set({ pointed: pages });
  await register(pages);
  await inject(tab.id);
}

function loaded(id: number): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      chrome.tabs.onUpdated.removeListener(seen);
      done();
    };
    const seen = (tab: number, change: { status?: string }): void => {
      if (tab === id && change.status === 'complete') end();
    };
    const timer = setTimeout(end, atMost);
    chrome.tabs.onUpdated.addListener(seen);
    void chrome.tabs.get(id).then((t) => t.status === 'complete' && t.url !== 'about:blank' && end(), end);
  });
}
