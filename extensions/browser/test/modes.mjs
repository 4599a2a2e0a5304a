// Copyright The ctx-lsp authors. MIT licence.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

/**
 * What the sites' own help pages say, as of the day, and where and by which texts their pages name a mode. A window of
 * null is one that no source names.
 */
const table = {
  chatgpt: {
    asOf: '2026-03-15',
    host: 'chatgpt.com',
    windows: {
      free: { instant: 16_000, thinking: null, pro: null, auto: null },
      plus: { instant: 32_000, thinking: 256_000, pro: null, auto: null },
      business: { instant: 32_000, thinking: 256_000, pro: null, auto: null },
      pro: { instant: 128_000, thinking: 400_000, pro: null, auto: null },
      enterprise: { instant: 128_000, thinking: 256_000, pro: null, auto: null },
    },
    unknown: null,
    texts: {
      instant: ['Instant', '5.6 Sol Instant', 'Sofort', '即时'],
      thinking: [
        'Thinking',
        'Extended thinking',
        'Extended',
        'Medium',
        'High',
        'Extra High',
        'Thinking Heavy',
        '5.6 Sol High',
        'Hoch',
        'Nachdenken',
        '中',
        '高',
        '极高',
      ],
      pro: ['Pro', 'Pro Extended', 'Extended Pro', '5.6 Pro'],
      auto: ['Auto', 'Automatisch', '自动'],
    },
    slugs: {
      instant: ['gpt-5-5', 'gpt-5-5-instant', 'gpt-5'],
      thinking: ['gpt-5-5-thinking', 'gpt-5-5-thinking-mini', 'gpt-5-t-mini'],
      pro: ['gpt-5-5-pro'],
      auto: ['gpt-5-5-auto', 'auto'],
    },
    places: {
      'the pill': (text) => `<form><button class="__composer-pill">${text}</button></form>`,
      'the pill of September 2026': (text) =>
        `<button data-codex-intelligence-trigger="true"><span aria-hidden="true">Thinking effort</span>${text}</button>`,
      'the picker': (text) => `<button data-testid="model-switcher-dropdown-button">ChatGPT 5.5 ${text}</button>`,
      "the picker's label": (text) => `<button aria-label="Model selector, current model is 5.5 ${text}"></button>`,
    },
    slug: (slug) =>
      `<main><div data-message-model-slug="old"></div><div data-message-model-slug="${slug}"></div></main>`,
    // In the picker a name has the model before it.
    notIn: (place, text) =>
      /picker/.test(place) && !/^(?:Instant|Thinking|Extended thinking|Pro|Medium|High)$/.test(text),
  },
  gemini: {
    asOf: '2026-03-31',
    host: 'gemini.google.com',
    windows: {
      none: { fast: 32_000, thinking: 32_000, pro: 32_000, lite: 32_000 },
      plus: { fast: 128_000, thinking: 128_000, pro: 128_000, lite: 128_000 },
      pro: { fast: 1_000_000, thinking: 1_000_000, pro: 1_000_000, lite: 1_000_000 },
      ultra: { fast: 1_000_000, thinking: 1_000_000, pro: 1_000_000, lite: 1_000_000 },
    },
    unknown: { none: 32_000, plus: 128_000, pro: 1_000_000, ultra: 1_000_000 },
    texts: { fast: ['Fast', 'Flash'], thinking: ['Thinking'], pro: ['Pro'], lite: ['Flash-Lite'] },
    slugs: {},
    places: {
      'the switcher': (text) => `<bard-mode-switcher><button>${text}</button></bard-mode-switcher>`,
      "the switcher's label": (text) => `<button aria-label="Open mode picker, currently ${text}"></button>`,
    },
    notIn: () => false,
  },
  claude: {
    asOf: '2026-04-30',
    host: 'claude.ai',
    windows: { free: {}, pro: {}, max: {}, team: {}, enterprise: {} },
    unknown: { free: 200_000, pro: 200_000, max: 200_000, team: 200_000, enterprise: 500_000 },
    texts: {},
    slugs: {},
    places: {},
    notIn: () => false,
  },
};

/** Which mode a page has chosen, and which window follows from it. No browser is needed for it. */
export async function modes({ test }) {
  const { known, sites } = await load('adapter/index.ts');
  const { planned } = await load('adapter/plans.ts');
  const { oldDay } = await load('adapter/age.ts');
  const modeOn = (id, html) => {
    const { window } = new JSDOM(`<!doctype html><html><body>${html}</body></html>`);
    const mode = sites.find((s) => s.id === id).mode(window.document);
    window.close();
    return mode;
  };
  const windowOf = (id, plan, mode, windows = {}, model = '') =>
    planned(
      known.find((s) => s.id === id),
      plan,
      { windows, plan: [] },
      mode,
      model,
    );

  await test('modes: every plan, mode and place of each site has the window of the table', () => {
    const lines = [];
    for (const [id, site] of Object.entries(table)) {
      const data = known.find((s) => s.id === id);
      same(data.plans.asOf, site.asOf, `${id}: the day of the table`);
      same(
        data.plans.list.map((p) => p.id),
        Object.keys(site.windows),
        `${id}: plans`,
      );
      let cases = 0;
      const check = (html, mode, what) => {
        same(modeOn(id, html), mode, `${id}: ${what}`);
        for (const [plan, windows] of Object.entries(site.windows)) {
          const { window, lacks } = windowOf(id, plan, modeOn(id, html));
          same([window, lacks], [windows[mode], windows[mode] === null ? 'mode' : ''], `${id}, ${plan}: ${what}`);
          cases++;
        }
      };
      for (const [mode, texts] of Object.entries(site.texts))
        for (const text of texts)
          for (const [place, html] of Object.entries(site.places))
            if (!site.notIn(place, text)) check(html(text), mode, `${text} in ${place}`);
      for (const [mode, slugs] of Object.entries(site.slugs))
        for (const slug of slugs) check(site.slug(slug), mode, `${slug} on the last answer`);
      for (const plan of Object.keys(site.windows)) {
        const { window, lacks } = windowOf(id, plan, null);
        same([window, lacks], site.unknown ? [site.unknown[plan], ''] : [null, 'mode'], `${id}, ${plan}: no mode`);
        cases++;
      }
      lines.push(`${id} ${cases}`);
    }
    console.log(`      ${lines.join(', ')}`);
  });

  await test('modes: the pill comes before the picker, and that before the last answer', () => {
    const { places, slug } = table.chatgpt;
    const pill = places['the pill'];
    const picker = places['the picker'];
    for (const [html, mode] of [
      [picker('') + pill('Thinking'), 'thinking'],
      [picker('Instant') + pill('Thinking') + slug('gpt-5-5'), 'thinking'],
      [picker('Thinking') + slug('gpt-5-5'), 'thinking'],
      [picker('') + slug('gpt-5-5-thinking'), 'thinking'],
      [pill('Search') + picker('') + slug('gpt-5-5-thinking'), 'thinking'],
      [pill('Search') + pill('High') + slug('gpt-5-5'), 'thinking'],
      [slug('gpt-5-5'), 'instant'],
      // A text that is not known may be the name of a mode: what answered last says nothing of the next answer.
      [pill('Réflexion') + slug('gpt-5-5'), null],
      [picker('Réflexion') + slug('gpt-5-5'), null],
      [slug('gpt-6-dreaming'), null],
      [picker(''), null],
      ['', null],
    ])
      same(modeOn('chatgpt', html), mode, html);
  });

  await test("modes: the site's own list of models is read by the same names", () => {
    const windows = {
      'gpt-5-5': 34_815,
      'gpt-5-5-instant': 34_815,
      'gpt-5-5-thinking': 262_144,
      'gpt-5-5-pro': 131_072,
    };
    const by = (mode) => windowOf('chatgpt', undefined, mode, windows, 'gpt-5.5').window;
    same([by('instant'), by('thinking')], [34_815, 262_144]);
    same(by(null), null, 'no mode');
    // The source names no window of this mode on this plan, and the site does.
    const { window, lacks } = windowOf('chatgpt', 'pro', 'pro', { 'gpt-5-5-pro': 131_072 }, 'gpt-5-5-pro');
    same([window, lacks], [null, 'mode'], 'another model');
  });

  await test('modes: a mode is one line of the data, and its patterns are ones that a file may have', async () => {
    const { overridden } = await load('adapter/override.ts');
    const { siteOf } = await load('adapter/adapter.ts');
    const chatgpt = known.find((s) => s.id === 'chatgpt');
    const file = JSON.parse(JSON.stringify({ chatgpt: { modes: chatgpt.modes, plans: chatgpt.plans } }));
    file.chatgpt.modes.list.push({ id: 'dream', texts: ['^Dreaming$'], slugs: ['-dream$'] });
    for (const p of file.chatgpt.plans.list) p.windows.dream = 2_000_000;
    const { data, refused } = overridden(chatgpt, file);
    same(refused, [], 'refused');
    const { window } = new JSDOM(table.chatgpt.places['the pill']('Dreaming'));
    const mode = siteOf(data).mode(window.document);
    same([mode, planned(data, 'plus', { windows: {}, plan: [] }, mode, '').window], ['dream', 2_000_000]);
  });

  await test('the options page says of which day the data of a site is, once that day is old', async () => {
    const { siteRows } = await load('options/plans.ts');
    const en = JSON.parse(readFileSync(join(import.meta.dirname, '../_locales/en/messages.json')));
    const say = (key, ...args) => en[key].message.replace(/\$(\d)/g, (_, n) => args[n - 1]);
    const { window } = new JSDOM('');
    const { now } = Date;
    Object.assign(globalThis, { document: window.document, Option: window.Option });
    try {
      const saidOn = (day) => {
        Date.now = () => Date.parse(day);
        const rows = siteRows(
          known.map((data) => ({ id: data.id, name: data.name, data })),
          say,
        );
        return rows.flatMap((row) => [...row.querySelectorAll('.old')].map((help) => help.textContent));
      };
      const chatgpt = 'The data about ChatGPT is from Mar 15, 2026 and may be outdated.';
      const gemini = 'The data about Gemini is from Mar 31, 2026 and may be outdated.';
      const claude = 'The data about Claude is from Apr 30, 2026 and may be outdated.';
      same(saidOn('2026-07-13'), [], 'after 120 days');
      same(saidOn('2026-07-15'), [chatgpt], 'two days later');
      same(saidOn('2026-08-22').sort(), [chatgpt, gemini], '40 days later, not yet of Claude’s last day');
      same(saidOn('2026-08-29').sort(), [chatgpt, claude, gemini], 'a week after that');
      same(
        saidOn('2027-08-17').length,
        known.filter((s) => s.plans?.asOf ?? s.unseen?.asOf).length,
        '400 days later, of all',
      );
    } finally {
      Date.now = now;
      delete globalThis.document;
      delete globalThis.Option;
      window.close();
    }
  });

  await test('the badge’s details say of which day the data is, once that day is old, and always of hidden sizes', async () => {
    const en = JSON.parse(readFileSync(join(import.meta.dirname, '../_locales/en/messages.json')));
    const say = (key, ...args) => en[key].message.replace(/\$(\d)/g, (_, n) => args[n - 1]);
    const { window } = new JSDOM('');
    const { now } = Date;
    Object.assign(globalThis, { document: window.document, window });
    try {
      const { Panel } = await load('content/panel.ts');
      const site = known.find((s) => s.id === 'claude');
      const reading = {
        ...{ used: 1000, limit: 200_000, free: 199_000, reserve: 0, model: '', mode: 'agent', limitSource: 'user' },
        ...{ largest: [], lastRequest: null, panel: { sections: [] }, reported: { usage: false, window: false } },
        ...{ display: { used: '1k', limit: '200k' }, lines: { sign: '~', why: '' } },
      };
      const saidOn = (day, unseen) => {
        Date.now = () => Date.parse(day);
        const panel = new Panel(site.name, { plan: () => {} }, say);
        panel.show({
          ...{ reading, site, unseen, coverage: null, limitsFrom: 101 },
          ...{ plan: { window: 200_000, plan: 'Pro', lacks: '' }, aside: { limits: [] } },
        });
        panel.toggle(true);
        panel.toggle(false);
        return panel.element.textContent;
      };
      const old = 'The data about Claude is from Apr 30, 2026 and may be outdated.';
      holds(!saidOn('2026-08-27', null).includes('outdated'), 'after 119 days');
      for (const day of ['2026-08-29', '2026-10-08', '2027-10-03']) {
        holds(saidOn(day, null).includes(old), day);
        holds(saidOn(day, null).includes('your plan Pro: 200k tokens, as of Apr 30, 2026'), day);
      }
      const hidden = { ...site.unseen.sizes[0], most: null };
      holds(
        saidOn('2026-08-27', hidden).includes('These sizes are as of Jul 31, 2026; the maximum is unknown.'),
        'hidden',
      );
      hidden.most = 40_000;
      holds(
        /Published sizes of it go up to .*40.*, as of Jul 31, 2026\./.test(saidOn('2026-08-27', hidden)),
        'published',
      );
    } finally {
      Date.now = now;
      delete globalThis.document;
      delete globalThis.window;
      window.close();
    }
  });

  await test('data of a site that is older than 120 days is marked', () => {
    const chatgpt = known.find((s) => s.id === 'chatgpt');
    const at = (day) => oldDay(chatgpt, Date.parse(day));
    same(at('2026-07-13'), null, 'after 120 days');
    same(at('2026-07-14'), '2026-03-15', 'after 121 days');
    same(at('2026-12-31'), '2026-03-15', 'the earliest of several');
    for (const site of known)
      for (const day of [site.plans?.asOf, site.unseen?.asOf])
        holds(day === undefined || /^20\d\d-\d\d-\d\d$/.test(day), `${site.id}: ${day}`);
  });
}
