// Copyright The ctx-lsp authors. MIT licence.

import { sites } from '../adapter/index';
import { Ring } from '../content/ring';
import { type Open, openTabs, siteSwitches, type Waiting } from './tabs';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;
const at = (id: string): HTMLElement => document.getElementById(id)!;

for (const e of document.querySelectorAll<HTMLElement>('[data-say]')) e.textContent = say(e.dataset.say!);
document.documentElement.lang = say('language');
document.documentElement.dir = say('direction');
document.title = say('popupTitle');

/** Returns the row of a conversation; a click brings its tab to the front. */
function row(c: Open): HTMLElement {
  const item = document.createElement('div');
  item.setAttribute('role', 'listitem');
  const button = document.createElement('button');
  button.className = `row ${c.reading?.compaction.level ?? ''}`;
  const ring = new Ring();
  ring.draw(c.reading?.percent ?? null);
  const names = part('names');
  names.append(part('title', c.title || c.site), part('site', c.reading ? c.site : `${c.site} · ${c.reason}`));
  button.append(ring.element, names, part('n', c.reading?.lines.popup ?? '?'));
  button.title = c.reading?.lines.spoken ?? c.reason;
  button.addEventListener('click', () => {
    void chrome.tabs.update(c.tab, { active: true });
    void chrome.windows.update(c.window, { focused: true });
    window.close();
  });
  item.append(button);
  return item;
}

/** Returns the row of a tab that was open before the extension was installed. */
function reload({ tab, title, site }: Waiting): HTMLElement {
  const row = part('waiting');
  const names = part('names');
  names.append(part('title', title), part('site', site));
  const button = document.createElement('button');
  button.textContent = say('reload');
  button.setAttribute('aria-label', say('reloadNamed', title));
  button.addEventListener('click', () => {
    void chrome.tabs.reload(tab);
    row.remove();
    at('waiting').hidden = at('reloads').childElementCount === 0;
  });
  row.append(names, button);
  return row;
}

function part(name: string, text = ''): HTMLElement {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = text;
  return span;
}

const { open, waiting } = await openTabs();
if (open.length > 0) at('list').replaceChildren(...open.map(row));
else {
  at('list').removeAttribute('role');
  at('list').textContent = say('nothingOpen');
}
at('legend').hidden = open.length === 0;
at('waiting').hidden = waiting.length === 0;
at('reloads').replaceChildren(...waiting.map(reload));
at('sites').replaceChildren(...(await siteSwitches(sites)));
at('options').addEventListener('click', () => {
  void chrome.runtime.openOptionsPage();
  window.close();
});
