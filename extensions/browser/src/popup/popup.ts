// Copyright The ctx-lsp authors. MIT licence.

import type { Request, Shown } from '../messages';
import * as settings from '../settings';
import { sites } from '../sites/index';

type Open = Shown & { tab: number; window: number };

const say = (key: string): string => chrome.i18n.getMessage(key);

/** Asks the pages themselves, because they know what they show, and the worker need not be started for it. */
async function conversations(): Promise<Open[]> {
  const tabs = await chrome.tabs.query({});
  const shown = await Promise.all(
    tabs.map(async (t) => {
      const page = (await chrome.tabs
        .sendMessage(t.id!, { type: 'show' } satisfies Request)
        .catch(() => null)) as Shown | null;
      return page && { ...page, tab: t.id!, window: t.windowId };
    }),
  );
  return shown.filter((s) => s !== null).sort((a, b) => (b.reading?.percent ?? -1) - (a.reading?.percent ?? -1));
}

/** One conversation; a click brings its tab to the front. */
function row(c: Open): HTMLElement {
  const button = document.createElement('button');
  button.className = `row ${c.reading?.compaction.level ?? ''}`;
  const title = document.createElement('span');
  title.className = 'title';
  title.textContent = c.title || c.site;
  const n = document.createElement('span');
  n.className = 'n';
  n.textContent = c.reading?.lines.popup ?? '?';
  button.append(title, n);
  button.addEventListener('click', () => {
    void chrome.tabs.update(c.tab, { active: true });
    void chrome.windows.update(c.window, { focused: true });
    window.close();
  });
  return button;
}

async function siteSwitches(): Promise<HTMLElement[]> {
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

const open = await conversations();
const list = document.getElementById('list')!;
if (open.length > 0) list.replaceChildren(...open.map(row));
else list.textContent = say('nothingOpen');
document.getElementById('sites')!.replaceChildren(...(await siteSwitches()));

const options = document.getElementById('options')!;
options.textContent = say('options');
options.addEventListener('click', () => void chrome.runtime.openOptionsPage());
