// Copyright The ctx-lsp authors. MIT licence.

import * as settings from '../settings';
import { type Pointed, parsePointed, printPointed } from '../sites/generic';
import { sites } from '../sites/index';
import { lines, parseWindow } from './lines';
import { importPack, showPacks } from './packs';
import { runOn } from './pointed';
import { importSites } from './sites';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args);
for (const e of document.querySelectorAll<HTMLElement>('[data-say]')) e.textContent = say(e.dataset.say!);
document.documentElement.lang = chrome.i18n.getUILanguage();

const form = document.getElementById('form') as HTMLFormElement;
const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
const said = document.getElementById('said')!;
const packs = document.getElementById('packs')!;
let kept = await settings.pointed();
for (const site of sites) {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.name = `on-${site.id}`;
  label.append(box, ' ', site.name);
  document.getElementById('sites')!.append(label);
}
fill(await settings.read(), kept);
await showPacks(packs);

function fill(set: settings.Settings, pointed: Pointed[]): void {
  field('format').value = set.format;
  field('mode').value = set.mode;
  field('corner').value = set.corner;
  field('threshold').value = String(set.threshold);
  field('windows').value = Object.entries(set.windows)
    .map(([k, v]) => `${k} ${v}`)
    .join('\n');
  field('pointed').value = pointed.map(printPointed).join('\n');
  for (const site of sites) field(`on-${site.id}`).checked = !set.off.includes(site.id);
}

/** Runs some work and shows its result. */
function report(work: () => Promise<string>): void {
  said.textContent = '';
  work().then(
    (done) => (said.textContent = done),
    (fault: unknown) => (said.textContent = fault instanceof Error ? fault.message : String(fault)),
  );
}

form.addEventListener('submit', (e) => {
  e.preventDefault();
  report(save);
});

async function save(): Promise<string> {
  const windows = lines(field('windows').value).map((line) => {
    const window = parseWindow(line);
    if (!window) throw new Error(say('badLine', line));
    return window;
  });
  const pointed = lines(field('pointed').value).map((line) => {
    const page = parsePointed(line, isSelector);
    if (!page) throw new Error(say('badLine', line));
    return page;
  });
  if (!(await runOn(pointed, kept))) throw new Error(say('notPermitted'));
  kept = pointed;
  await chrome.storage.local.set({ pointed });
  const before = await settings.read();
  await settings.write(
    settings.settingsFrom({
      format: field('format').value,
      mode: field('mode').value,
      corner: field('corner').value,
      // A place to which the badge was dragged stays until another one is chosen.
      dragged: before.corner === field('corner').value ? before.dragged : null,
      threshold: Number(field('threshold').value),
      windows: Object.fromEntries(windows),
      plans: before.plans,
      off: [
        ...before.off.filter((id) => !sites.some((s) => s.id === id)),
        ...sites.filter((s) => !field(`on-${s.id}`).checked).map((s) => s.id),
      ],
    }),
  );
  return say('saved');
}

function isSelector(s: string): boolean {
  try {
    document.createDocumentFragment().querySelector(s);
    return true;
  } catch {
    return false;
  }
}

document.getElementById('pack')!.addEventListener('change', (e) => {
  const file = (e.target as HTMLInputElement).files?.[0];
  if (!file) return;
  report(async () => {
    await importPack(file);
    await showPacks(packs);
    return say('saved');
  });
});

document.getElementById('export')!.addEventListener('click', () =>
  report(async () => {
    const all = {
      settings: await settings.read(),
      pointed: await settings.pointed(),
      sites: await settings.importedSites(),
    };
    const json = `${JSON.stringify(all, null, 2)}\n`;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
    link.download = 'ctx-lsp-settings.json';
    link.click();
    URL.revokeObjectURL(link.href);
    return '';
  }),
);

// An imported file is shown in the form, where it can be looked at. It applies when it is saved.
document.getElementById('import')!.addEventListener('change', (e) => {
  const file = (e.target as HTMLInputElement).files?.[0];
  if (!file) return;
  report(async () => {
    const json = JSON.parse(await file.text()) as { settings?: unknown; pointed?: unknown; sites?: unknown };
    const pointed = (Array.isArray(json.pointed) ? json.pointed : []) as Pointed[];
    fill(
      settings.settingsFrom(json.settings),
      pointed.map((p) => parsePointed(printPointed(p), isSelector)).filter((p) => p !== null),
    );
    return [say('imported'), ...(await importSites(json.sites))].join('\n');
  });
});
