// Copyright The ctx-lsp authors. MIT licence.

import { known } from '../adapter/index';
import { pagesOf } from '../adapter/pointed';
import type { Request } from '../messages';
import * as settings from '../settings';
import { inject, register } from './scripts';

/**
 * After it was installed or updated, the extension looks for tabs with pages of its sites. Where it was given the
 * permission to run scripts, it runs in them at once; of others the button in the toolbar says that they need a reload.
 * A browser forgets with every update which scripts run on the pages that the person has pointed at.
 */
export function afterInstall(): void {
  chrome.runtime.onInstalled.addListener(() => void openTabs());
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

/** Whether the content script answers in a tab: Firefox runs it in open tabs by itself. */
async function runsIn(tab: number): Promise<boolean> {
  return chrome.tabs.sendMessage(tab, { type: 'show' } satisfies Request).then(
    () => true,
    () => false,
  );
}
