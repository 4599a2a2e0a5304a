// Copyright The ctx-lsp authors. MIT licence.

import { presets, siteFor, sites } from '../adapter/index';
import { type Pointed, parsePointed, printPointed } from '../adapter/pointed';
import type { Site } from '../adapter/site';
import { numbersOf } from '../content/numbers';
import type { Request } from '../messages';
import * as settings from '../settings';
import { lines } from './lines';
import { importPack, showPacks } from './packs';
import { chosenPlans, siteRows } from './plans';
import { permitted, runOn } from './pointed';
import { importSites } from './sites';
import { windowOf } from './windows';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args);
const { tokens, percent } = numbersOf(say);
for (const e of document.querySelectorAll<HTMLElement>('[data-say]')) e.textContent = say(e.dataset.say!);
document.documentElement.lang = say('language');
document.documentElement.dir = say('direction');
document.title = say('optionsTitle');
document.getElementById('version')!.textContent = `ctx ${chrome.runtime.getManifest().version}`;

const form = document.getElementById('form') as HTMLFormElement;
const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
const status = document.getElementById('status')!;
const packs = document.getElementById('packs')!;
/** The percentages that the user can choose as alert threshold. */
const thresholds = [50, 60, 70, 75, 80, 85, 90, 95, 100];
let kept: Pointed[] = [];
/** The stored settings that the form was filled with last. Differences from them are the user's edits. */
let filled: settings.Settings = settings.defaults;
document.getElementById('sites')!.append(...siteRows(sites, say));
/**
 * Clicks and choices before the page is filled wait for that. Later ones run at once, because browsers ask for a
 * permission only during a click.
 */
let filling: Promise<void> | null = show().finally(() => (filling = null));
if (location.hash === '#advanced') (document.getElementById('advanced') as HTMLDetailsElement).open = true;
if (location.hash === '#first') showFirst(true);
document.getElementById('all')!.addEventListener('click', () => showFirst(false));

/** Shows only the plans, as after the installation, or everything. */
function showFirst(first: boolean): void {
  document.body.classList.toggle('first', first);
  document.querySelector('h1')!.textContent = say(first ? 'firstTitle' : 'optionsTitle');
  document.getElementById('intro')!.textContent = say(first ? 'firstHelp' : 'optionsIntro');
}

async function show(): Promise<void> {
  kept = await settings.pointed();
  filled = await settings.read();
  fill(filled, kept);
  await showPacks(packs);
}

function fill(set: settings.Settings, pointed: Pointed[]): void {
  fillSettings(set);
  field('pointed').value = pointed.map(printPointed).join('\n');
}

function fillSettings(set: settings.Settings): void {
  const warn = field('threshold') as unknown as HTMLSelectElement;
  const all = [...new Set([...thresholds, set.threshold])].sort((a, b) => a - b);
  warn.replaceChildren(...all.map((n) => new Option(say('thresholdAt', percent(n)), String(n))));
  const limits = field('limitsFrom') as unknown as HTMLSelectElement;
  if (![...limits.options].some((o) => o.value === String(set.limitsFrom)))
    limits.append(new Option(percent(set.limitsFrom), String(set.limitsFrom)));
  for (const name of ['format', 'mode', 'corner', 'threshold', 'atSend', 'limitsFrom'] as const)
    field(name).value = String(set[name]);
  field('windows').value = windowLines(set);
  for (const site of sites) {
    field(`on-${site.id}`).checked = !set.off.includes(site.id);
    if (site.data.plans) field(`plan-${site.id}`).value = set.plans[site.id] ?? '';
  }
}

/** Runs some work and shows its result. */
function report(work: () => Promise<string>, place = status): void {
  place.textContent = '';
  place.classList.remove('wrong');
  (filling ? filling.then(work) : work()).then(
    (done) => (place.textContent = done),
    (fault: unknown) => {
      place.classList.add('wrong');
      place.textContent = fault instanceof Error ? fault.message : String(fault);
    },
  );
}

form.addEventListener('submit', (e) => {
  e.preventDefault();
  report(save);
});

/** Returns the sites with a configurable window: the known ones and the pages that the user pointed at. */
const withPointed = (pointed: Pointed[]): Site[] => [
  ...sites,
  ...pointed.map((p) => siteFor(new URL(p.origin), [p])).filter((s) => s !== null),
];

async function save(): Promise<string> {
  const pointed = lines(field('pointed').value).map((line) => {
    const page = parsePointed(line, isSelector);
    if (!page) throw new Error(say('badPage', line, presets.map((p) => p.id).join(', ')));
    return page;
  });
  const windows = readWindows(pointed);
  if (!(await runOn(pointed, kept))) throw new Error(say('notPermitted'));
  kept = pointed;
  await chrome.storage.local.set({ pointed });
  // Only edits are written: another page of the extension may have stored something since the form was filled.
  await settings.change((now) => settings.withEdits(now, filled, formOver(now, windows)));
  filled = await settings.read();
  listPages(pointed);
  return say('saved');
}

/** Returns the settings in the form; settings without a field keep their values in `now`. */
function formOver(now: settings.Settings, windows: settings.Settings['windows']): settings.Settings {
  const value = (name: string): string => field(name).value;
  return settings.settingsFrom({
    ...now,
    dragged: filled.dragged,
    format: value('format'),
    mode: value('mode'),
    corner: value('corner'),
    threshold: Number(value('threshold')),
    atSend: value('atSend') === 'true',
    limitsFrom: Number(value('limitsFrom')),
    windows,
    plans: chosenPlans(sites, value, filled),
    off: [
      ...filled.off.filter((id) => !sites.some((s) => s.id === id)),
      ...sites.filter((s) => !field(`on-${s.id}`).checked).map((s) => s.id),
    ],
  });
}

// Changes stored elsewhere update the form; unsaved edits stay.
settings.onChange(
  () =>
    void settings.read().then((now) => {
      const text = field('windows').value;
      const isEdited = text !== windowLines(filled);
      fillSettings(settings.withEdits(now, filled, formOver(now, filled.windows)));
      if (isEdited) field('windows').value = text;
      filled = now;
    }),
);

const windowLines = (set: settings.Settings): string =>
  Object.entries(set.windows)
    .map(([k, v]) => `${k} ${v}`)
    .join('\n');

/** Lists how each page that the user pointed at is read. */
function listPages(pointed: Pointed[]): void {
  const results = document.getElementById('pointedResults')!;
  results.replaceChildren(
    ...pointed.map((p) => {
      const item = document.createElement('li');
      const preset = presets.find((known) => known.id === p.preset);
      // The path of the address is ignored.
      const all = `${p.origin}/*`;
      const read = preset ? say('pointedPreset', all, preset.name) : say('pointedOwn', all);
      item.textContent = p.model ? say('pointedModel', read, p.model) : read;
      return item;
    }),
  );
}

/** Returns the windows in the form and lists what each line does. Throws if any line is invalid. */
function readWindows(pointed: Pointed[]): Record<string, number> {
  const all = lines(field('windows').value).map((line) => windowOf(line, withPointed(pointed)));
  const results = document.getElementById('windowsResults')!;
  results.replaceChildren();
  const out: Record<string, number> = {};
  for (const w of all) {
    if ('wrong' in w) throw new Error(say(...w.wrong));
    out[w.key] = w.tokens;
    const item = document.createElement('li');
    const { site, model } = w;
    item.textContent = model
      ? say('windowModel', site, model, tokens(w.tokens))
      : say('windowSite', site, tokens(w.tokens));
    results.append(item);
  }
  return out;
}

function isSelector(s: string): boolean {
  try {
    document.createDocumentFragment().querySelector(s);
    // A single word that is not an element's name is a misspelled preset. Custom elements have a hyphen.
    return !/^[a-z]\w*$/i.test(s) || !(document.createElement(s) instanceof HTMLUnknownElement);
  } catch {
    return false;
  }
}

document.getElementById('pack')!.addEventListener('change', (e) => {
  const file = (e.target as HTMLInputElement).files?.[0];
  if (!file) return;
  report(async () => {
    const names = await importPack(file);
    await showPacks(packs);
    return say('packKept', names.join(', '));
  });
});

// Users can point at a page instead of writing selectors. Browsers ask for the permission only during a click.
document.getElementById('point')!.addEventListener('click', () =>
  report(async () => {
    const input = document.getElementById('address') as HTMLInputElement;
    const address = addressOf(input.value);
    if (!address) throw new Error(say('pointNoAddress'));
    if (sites.some((s) => s.matches(new URL(address)))) throw new Error(say('pointKnown'));
    if (!(await permitted(address))) throw new Error(say('notPermitted'));
    await chrome.runtime.sendMessage({ type: 'point', address } satisfies Request);
    return say('pointGoOn');
  }, document.getElementById('pointResult')!),
);

/** Returns the address that a user typed, with or without its scheme; null if it is not an address. */
function addressOf(text: string): string | null {
  const given = text.trim();
  const whole = /^https?:\/\//i.test(given)
    ? given
    : `${/^(localhost|[\d.]+|\[)/.test(given) ? 'http' : 'https'}://${given}`;
  return given !== '' && URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol) ? new URL(whole).href : null;
}

// Pages that the user pointed at in another tab appear in the form as stored.
chrome.storage.local.onChanged.addListener((changes) => {
  if (!changes.pointed) return;
  void settings.pointed().then((now) => {
    const added = now.filter((p) => !kept.some((k) => printPointed(k) === printPointed(p)));
    kept = now;
    field('pointed').value = now.map(printPointed).join('\n');
    if (added.length > 0)
      document.getElementById('pointResult')!.textContent = say('pointed1', added.map((p) => p.origin).join(', '));
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
    return say('exported', link.download);
  }),
);

// An imported file only fills the form, where it can be checked. It applies when it is saved.
document.getElementById('import')!.addEventListener('change', (e) => {
  const file = (e.target as HTMLInputElement).files?.[0];
  if (!file) return;
  report(async () => {
    const json = jsonOf(await file.text());
    const given = Array.isArray(json.pointed) ? (json.pointed as Pointed[]) : [];
    const pages = given.map((p) => pageFrom(p));
    fill(
      json.settings === undefined ? await settings.read() : settings.settingsFrom(json.settings),
      json.pointed === undefined ? kept : pages.filter((p) => p !== null),
    );
    const wrong = settings.refusedSettings(json.settings);
    const refused = [
      ...wrong.unknown.map((key) => say('settingUnknown', key)),
      ...wrong.refused.map((key) => say('settingRefused', key)),
      ...given
        .filter((_, i) => pages[i] === null)
        .map((p) => say('badPage', String(p?.origin ?? '?'), presets.map((known) => known.id).join(', '))),
    ];
    return [say('imported'), ...refused, ...(await importSites(json.sites))].join('\n');
  });
});

/** Returns a page of an imported file, whatever its fields contain; null if it is invalid. */
function pageFrom(page: Partial<Pointed> | null): Pointed | null {
  const text = (key: keyof Pointed): string => (typeof page?.[key] === 'string' ? page[key] : '');
  const [origin, preset] = [text('origin'), text('preset')];
  const own = { user: text('user'), assistant: text('assistant'), draft: text('draft'), model: text('model') };
  return parsePointed(printPointed({ origin, ...(preset && { preset }), ...own }), isSelector);
}

function jsonOf(text: string): { settings?: unknown; pointed?: unknown; sites?: unknown } {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && ['settings', 'pointed', 'sites'].some((key) => key in json))
      return json;
  } catch {
    // The error is thrown below.
  }
  throw new Error(say('importRefused'));
}
