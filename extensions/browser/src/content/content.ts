// Copyright The ctx-lsp authors. MIT licence.

import { siteFor } from '../adapter/index';
import type { Pointed } from '../adapter/pointed';
import type { Request } from '../messages';
import * as settings from '../settings';
import { Page } from './page';

const marker = Symbol.for('ctx-lsp');

/** Starts on pages of a site that is switched on, and stops when it is switched off. */
async function start(): Promise<void> {
  // The script may be injected twice: by the manifest, and for a page that the user pointed at.
  if ((globalThis as Record<symbol, unknown>)[marker]) return;
  (globalThis as Record<symbol, unknown>)[marker] = true;
  // A badge of the previous version may be left over.
  for (const old of document.querySelectorAll('ctx-lsp-badge')) old.remove();
  let current: settings.Settings;
  let pointed: Pointed[] = [];
  let imported: unknown = null;
  let page: Page | null = null;
  let running: AbortController | null = null;

  const stop = (): void => {
    running?.abort();
    running = null;
    page = null;
  };
  const apply = (): void => {
    const site = siteFor(new URL(location.href), pointed, imported);
    if (!site || current.off.includes(site.id)) {
      stop();
      return;
    }
    if (page) {
      page.settings(current);
      return;
    }
    running = new AbortController();
    page = new Page(
      site,
      current,
      {
        moved: (to) => void settings.change(() => to),
        off: () => void settings.change((now) => ({ off: [...now.off, site.id] })),
        plan: (id) => void settings.change((now) => ({ plans: { ...now.plans, [site.id]: id } })),
        asked: () => void settings.change((now) => ({ asked: [...new Set([...now.asked, site.id])] })),
        options: () => void chrome.runtime.sendMessage({ type: 'options' } satisfies Request),
      },
      running.signal,
      stop,
    );
  };
  chrome.runtime.onMessage.addListener((m: Request, sender, respond) => {
    if (sender.id === chrome.runtime.id && m.type === 'show') respond(page?.shown() ?? null);
    return false;
  });
  const readBy = (): string => JSON.stringify([imported, pointed.find((p) => p.origin === location.origin)]);
  await settings.follow((stored) => {
    const before = readBy();
    ({ settings: current, pointed, imported } = stored);
    // The page must be read again if the imported entries or its selectors have changed.
    if (before !== readBy()) stop();
    apply();
  });
}

void start();
