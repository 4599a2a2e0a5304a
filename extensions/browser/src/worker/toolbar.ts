// Copyright The ctx-lsp authors. MIT licence.

import type { ShownReading } from '../messages';

const colours: Record<string, string> = { ok: '#57606a', soon: '#9a6700', now: '#cf222e', over: '#cf222e' };

/** Sets the toolbar button of a tab; null means a tab without a conversation. */
export function toolbar(tab: number, reading: ShownReading | null): void {
  if (tab < 0) return;
  // An error means that the tab was closed in the meantime, which does not matter.
  const ignore = (): void => {};
  const text = reading?.lines.toolbar ?? '';
  const title = reading?.lines.spoken ?? chrome.i18n.getMessage('name');
  chrome.action.setBadgeText({ tabId: tab, text }).catch(ignore);
  chrome.action.setTitle({ tabId: tab, title }).catch(ignore);
  if (reading)
    chrome.action
      .setBadgeBackgroundColor({ tabId: tab, color: colours[reading.compaction.level] ?? colours.ok! })
      .catch(ignore);
}
