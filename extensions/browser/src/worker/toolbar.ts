// Copyright The ctx-lsp authors. MIT licence.

import type { Reading } from '../../../../wasm/js/types';
import { inWords, number } from '../content/words';

const colours: Record<string, string> = { ok: '#57606a', soon: '#9a6700', now: '#cf222e', over: '#cf222e' };

/** Sets the button in the browser's toolbar for one tab; null means a tab without a conversation. */
export function toolbar(tab: number, reading: Reading | null): void {
  if (tab < 0) return;
  // An error means that the tab was closed meanwhile, which does not matter.
  const ignore = (): void => {};
  const text = reading ? number(reading) : '';
  const title = reading
    ? inWords(reading, (key, ...args) => chrome.i18n.getMessage(key, args))
    : chrome.i18n.getMessage('name');
  chrome.action.setBadgeText({ tabId: tab, text }).catch(ignore);
  chrome.action.setTitle({ tabId: tab, title }).catch(ignore);
  if (reading)
    chrome.action
      .setBadgeBackgroundColor({ tabId: tab, color: colours[reading.compaction.level] ?? colours.ok! })
      .catch(ignore);
}
