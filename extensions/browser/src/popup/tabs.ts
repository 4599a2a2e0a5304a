// Copyright The ctx-lsp authors. MIT licence.

import { siteFor } from '../adapter/index';
import type { Site } from '../adapter/site';
import type { Request, Shown } from '../messages';
import * as settings from '../settings';

/** A tab with a conversation. */
export type Open = Shown & { tab: number; window: number };

/** A tab with a page of a site that the extension is not running in yet. */
export interface Waiting {
  tab: number;
  title: string;
  site: string;
}

/**
 * Asks the pages themselves, because they know what they show, and the worker does not have to start for it. Tabs of
 * private windows are listed only in the private window.
 */
export async function openTabs(): Promise<{ open: Open[]; waiting: Waiting[] }> {
  const secret = chrome.extension.inIncognitoContext || (await chrome.windows.getCurrent()).incognito;
  const [pointed, set] = [await settings.pointed(), await settings.read()];
  const open: Open[] = [];
  const waiting: Waiting[] = [];
  await Promise.all(
    (await chrome.tabs.query({})).map(async ({ id, incognito, windowId, url, title }) => {
      if (id === undefined || incognito !== secret) return;
      const answer = await chrome.tabs.sendMessage(id, { type: 'show' } satisfies Request).then(
        (shown) => ({ shown: shown as Shown | null }),
        () => null,
      );
      if (answer?.shown) open.push({ ...answer.shown, tab: id, window: windowId });
      // The browser does not reveal the addresses of other pages to the extension.
      const site = answer || !url ? null : siteFor(new URL(url), pointed);
      if (site && !set.off.includes(site.id)) waiting.push({ tab: id, title: title || site.name, site: site.name });
    }),
  );
  open.sort((a, b) => fullness(b) - fullness(a));
  return { open, waiting };
}

const fullness = ({ reading }: Open): number => reading?.percent ?? (reading ? -1 : -2);

/** Returns a switch for each site. */
export async function siteSwitches(sites: readonly Site[]): Promise<HTMLElement[]> {
  const set = await settings.read();
  return sites.map((site) => {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = !set.off.includes(site.id);
    box.addEventListener('change', () => {
      void settings
        .read()
        .then((now) =>
          settings.write({ ...now, off: box.checked ? now.off.filter((s) => s !== site.id) : [...now.off, site.id] }),
        );
    });
    label.append(box, ' ', site.name);
    return label;
  });
}
