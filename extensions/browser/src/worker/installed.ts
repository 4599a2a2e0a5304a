// Copyright The ctx-lsp authors. MIT licence.

import { known } from '../adapter/index';
import { pagesOf } from '../adapter/pointed';
import type { Request } from '../messages';
import * as settings from '../settings';
import { inject, register } from './scripts';

/**
 * Asks once for the plans after the installation. After it and after each update, tabs with pages of the sites get the
 * scripts at once if there is a permission for that; otherwise the toolbar button shows that they need a reload. With
 * every update, browsers forget the scripts for pages that the user pointed at.
 */
export function afterInstall(): void {
  chrome.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') void chrome.tabs.create({ url: chrome.runtime.getURL('options/options.html#first') });
    void openTabs();
  });
}

async function openTabs(): Promise<void> {
  const pointed = await settings.pointed();
  await register(pointed).catch(() => {});
  const url = [...known.flatMap((s) => s.hosts.map((h) => `https://${h}/*`)), ...pointed.map(pagesOf)];
  for (const tab of await chrome.tabs.query({ url })) {
    const { id } = tab;
    if (id === undefined || (await runsIn(id)) || (await inject(id))) continue;
    await chrome.action.setBadgeText({ tabId: id, text: '↻' }).catch(() => {});
    await chrome.action.setTitle({ tabId: id, title: chrome.i18n.getMessage('reloadTab') }).catch(() => {});
  }
}

/** Reports whether the content script replies in a tab: Firefox runs it in open tabs automatically. */
async function runsIn(tab: number): Promise<boolean> {
  return chrome.tabs.sendMessage(tab, { type: 'show' } satisfies Request).then(
    () => true,
    () => false,
  );
}
