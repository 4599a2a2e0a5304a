// Copyright The ctx-lsp authors. MIT licence.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { load as loadCore } from '../../../wasm/js/ctx.js';
import { withPhrases } from '../phrases.mjs';
import { added, holds, same } from './expect.mjs';
import { load } from './source.mjs';

/** Returns the values that a message has. */
const holesOf = ({ message }) => [...new Set(message.match(/\$\d/g) ?? [])].sort().join();

/** What needs no browser. */
export async function units({ test }) {
  const table = (name, f, rows) =>
    test(name, () => {
      for (const [given, want] of rows) same(f(given), want, JSON.stringify(given));
    });

  await test('settings stored while they are first read are applied, and a late answer does not undo them', async () => {
    const { follow } = await load('settings.ts');
    let stored = {};
    let changed;
    const reads = [];
    globalThis.chrome = {
      storage: {
        local: {
          get: (key) => new Promise((done) => reads.push([done, { [key]: stored[key] }])),
          onChanged: { addListener: (listener) => (changed = listener) },
        },
      },
    };
    try {
      const applied = [];
      const following = follow(({ settings }) => applied.push(settings.plans.chatgpt ?? ''));
      const first = reads.splice(0);
      stored = { settings: { plans: { chatgpt: 'plus' } } };
      changed?.({ settings: {} });
      for (const [answer, value] of reads.splice(0)) answer(value);
      await new Promise((r) => setTimeout(r));
      for (const [answer, value] of first) answer(value);
      await following;
      same(applied, ['plus'], 'applied');
    } finally {
      delete globalThis.chrome;
    }
  });

  await test('forecast and threshold are those of all front ends, with learned thresholds', async () => {
    const { rowsOf } = await load('content/rows.ts');
    const { words } = await load('content/phrases.ts');
    const cases = JSON.parse(
      await readFile(join(import.meta.dirname, '../../../testdata/frontends/learned.json'), 'utf8'),
    );
    const messages = await withPhrases('en');
    const say = (key, ...args) => messages[key]?.message.replace(/\$(\d)/g, (_, n) => args[n - 1] ?? '') ?? key;
    const numbers = (text) => text.match(/\d[\d,.]*\d|\d/g)?.join(' ') ?? '';
    let compared = 0;
    for (const { name, reading, moments } of cases) {
      for (const { now, shows } of moments) {
        for (const section of ['window', 'compaction']) {
          for (const row of rowsOf(reading.panel, section)) {
            const want = shows[`${section}/${row.id}`];
            if (want === undefined) continue;
            // The extension speaks of questions and an alert threshold; the numbers are the same.
            same(numbers(words(row.value, say)), numbers(want), `${name} at ${now}: ${section}/${row.id}`);
            compared++;
          }
        }
      }
    }
    holds(compared >= 4 * 5 * cases.length - 5, `${compared} rows were compared`);
  });

  const { modelNamed } = await load('adapter/models.ts');
  const { known } = await load('adapter/index.ts');
  const named = (id, kind) => (name) => modelNamed(known.find((s) => s.id === id).model[kind], name);
  await table('ChatGPT: slugs of models', named('chatgpt', 'ids'), [
    ['gpt-5-5', 'gpt-5.5'],
    ['gpt-5-5-thinking', 'gpt-5.5'],
    ['gpt-4o', 'gpt-4o'],
    ['gpt-5', 'gpt-5'],
    ['gpt-5-t-mini', 'gpt-5'],
    ['gpt-5-5-thinking-mini', 'gpt-5.5'],
    ['o3', 'o3'],
    ['auto', null],
    ['research', null],
    ['gpt-5-5-pro', 'gpt-5.5-pro'],
    ['gpt-4o-mini', 'gpt-4o-mini'],
    ['o3-pro', 'o3-pro'],
  ]);
  await table('ChatGPT: labels of models', named('chatgpt', 'names'), [
    ['ChatGPT 5.5', 'gpt-5.5'],
    ['ChatGPT 4o', 'gpt-4o'],
    ['ChatGPT o3', 'o3'],
    ['ChatGPT', null],
    ['', null],
  ]);
  await table('Claude: labels of models', named('claude', 'names'), [
    ['Opus 5', 'claude-opus-5'],
    ['Claude Sonnet 4.5', 'claude-sonnet-4-5'],
    ['Haiku 4.5 ▾', 'claude-haiku-4-5'],
    ['Claude', null],
  ]);
  await table('Gemini: labels of models', named('gemini', 'names'), [
    ['3 Pro', 'gemini-3-pro'],
    ['2.5 Flash', 'gemini-2.5-flash'],
    ['2.5 Flash-Lite', 'gemini-2.5-flash-lite'],
    ['Fast', null],
  ]);

  const set = await load('settings.ts');
  const root = join(import.meta.dirname, '../../..');
  const module = await WebAssembly.compile(await readFile(join(root, 'wasm/js/ctx.wasm')));
  const newCore = () =>
    loadCore(module, { vocabularies: (name) => readFile(join(root, `internal/assets/${name}.ctxv`)) });
  const say = (key, ...args) => [key, ...args].join(' ');
  const look = await load('worker/look.ts');
  await test('each format of the badge shows the number in its way, and without a window the tokens', async () => {
    const core = await newCore();
    const lines = async (reading, format) => (await look.withLines(core, reading, format, say)).lines;
    const open = (id, more) => core.call('ctx/session/open', { id, ...more });
    const measured = (id) => core.call('ctx/session/usage', { id, provider: 'ctx', usage: { in: 50_000, out: 0 } });
    const window = { limits: { window: 200_000 } };
    const first = await open('counted', window);
    // The counted text is not yet what the site sends.
    same(
      (await lines({ ...first, basis: 'counted', display: { ...first.display, mark: '' } }, 'percent')).badge,
      '~badgeLine 0% 200k',
    );
    await open('full', window);
    const full = await measured('full');
    const all = await lines(full, 'percent');
    same(all, {
      badge: 'badgeLine 25% 200k',
      spoken: 'badgeLabel 25% 50k 200k',
      toolbar: '25%',
      popup: 'popupLine 25% 50k 200k',
      sign: '',
      why: '',
    });
    same((await lines(full, 'percentLeft')).badge, 'badgeLeft 75% 200k');
    same((await lines(full, 'tokens')).badge, 'tokensUsed 50k');
    await open('windowless');
    const windowless = await measured('windowless');
    for (const format of ['percent', 'percentLeft', 'tokens'])
      same((await lines(windowless, format)).badge, 'tokensUsed 50k');
    const { popup, toolbar } = await lines(windowless, 'percent');
    same([popup, toolbar], ['tokensUsed 50k', '50k']);
  });
  await test('provider mode: 0.0 % and why, and the measured tokens without a window', async () => {
    const core = await newCore();
    const lines = async (reading, format) => (await look.withLines(core, reading, format, say)).lines;
    const nothing = await core.call('ctx/session/open', { id: 'a', mode: 'provider', limits: { window: 200_000 } });
    await core.call('ctx/session/open', { id: 'b', mode: 'provider' });
    const windowless = await core.call('ctx/session/usage', {
      id: 'b',
      provider: 'ctx',
      usage: { in: 50_000, out: 0 },
    });
    for (const format of ['percent', 'percentLeft', 'tokens']) {
      same((await lines(nothing, format)).badge, '0.0% · why_notMeasuredYet');
      const share = format === 'tokens' ? '' : '0.0% · ';
      same((await lines(windowless, format)).badge, `${share}50k · why_windowUnknown`);
    }
    const { popup: without, spoken: aloud, toolbar } = await lines(windowless, 'percent');
    same([without, aloud, toolbar], ['0.0% · 50k · why_windowUnknown', 'badgeTokens 50k', '0.0%']);
    // The same if the window depends on an unknown plan.
    const asks = { id: 'c', mode: 'provider', model: 'gpt-5', provider: 'openai', limits: { withheld: true } };
    same((await lines(await core.call('ctx/session/open', asks), 'percent')).badge, '0.0% · why_notMeasuredYet');
    const plan = await core.call('ctx/session/usage', { id: 'c', provider: 'ctx', usage: { in: 50_000, out: 0 } });
    same((await lines(plan, 'percent')).badge, '0.0% · 50k · why_windowUnknown');
    const { popup, spoken, why } = await lines(nothing, 'percent');
    same(popup, '0.0% · why_notMeasuredYet');
    same(spoken, 'badgeUnmeasured 0.0% why_notMeasuredYet');
    same(why, 'why_notMeasuredYet');
  });
  await test('every word of a Reading in the badge is one of the messages', async () => {
    const messages = JSON.parse(await readFile(join(root, 'extensions/browser/_locales/en/messages.json'), 'utf8'));
    const asked = [];
    for (const part of [false, true]) look.lookOf('percent', (key) => asked.push(key) && key, part);
    same(
      asked.filter((key) => !(key in messages)),
      [],
    );
  });
  await test('settings are read', () => {
    same(set.settingsFrom({ mode: 'provider' }).mode, 'provider');
    same(set.settingsFrom({ mode: 'other' }).mode, 'hybrid');
  });

  const { rowsOf, fullness, sentence } = await load('content/rows.ts');
  const texts = await load('content/phrases.ts');
  await test("the details are the core's panel: its rows, in words of the extension, with the conversation's sign", async () => {
    const core = await newCore();
    const rule = { percent: 90 };
    const limits = { window: 200_000 };
    await core.call('ctx/session/open', { id: 'p', model: 'gpt-5', provider: 'openai', rule, limits, panel: true });
    const append = [{ kind: 'user', text: 'Hello' }];
    const usage = { usage: { in: 50_000, out: 300 }, provider: 'ctx' };
    await core.call('ctx/session/update', { id: 'p', append });
    const { panel } = await core.call('ctx/session/usage', { id: 'p', ...usage });
    const en = await withPhrases('en');
    const inEnglish = (key, ...args) =>
      en[key]?.message.replace(/\$(\d)/g, (_, n) => args[n - 1]).replaceAll('$$', '$') ?? key;
    const written = (id) => rowsOf(panel, id).map((row) => sentence(row, inEnglish));
    same(fullness(rowsOf(panel, 'window'), '≥\u00a0', inEnglish), '≥\u00a025% · 50.3k of 200k tokens');
    same(written('contents').slice(-3), [
      'Used: 50,300',
      'Left: 129,700 · until your alert threshold of 180,000 · 20,000 beyond it',
      'Window: 200,000',
    ]);
    same(written('window')[2], '130k tokens until your alert threshold');
    same(
      written('numbers')[0],
      'Basis: last input 50,000; last output 300 (all of it stays); new since then 0. Together measured.',
    );
    same(
      texts.words({ text: 'gpt-5.5' }, (key) => ({ language: 'de' })[key] ?? key),
      'gpt-5.5',
      'a name stays',
    );
    same(
      texts.words({ text: '~62.5%' }, (key) => ({ language: 'de' })[key] ?? key),
      '~62,5\u00a0%',
      'a number',
    );
  });
  await test("every phrase of the core's panel is a message of each language", async () => {
    const list = await readFile(join(root, 'internal/phrase/list.go'), 'utf8');
    const ids = [...list.matchAll(/\sID = "(\w+):/g)]
      .map(([, id]) => id)
      .filter((id) => !['sequence', 'marked'].includes(id));
    const lacks = async (language) => {
      const all = await withPhrases(language);
      return ids.filter((id) => !all[`core_${id}`]?.message);
    };
    holds(ids.length > 500, `${ids.length} phrases`);
    same([await lacks('en'), await lacks('de')], [[], []]);
    const [en, de] = [await withPhrases('en'), await withPhrases('de')];
    const other = ids.filter((id) => holesOf(de[`core_${id}`]) !== holesOf(en[`core_${id}`]));
    same(other, [], 'values');
  });

  const { sites } = await load('adapter/index.ts');
  const conversation = (address) => {
    const url = new URL(address);
    return sites.find((s) => s.matches(url))?.conversation(url);
  };
  await table('addresses of conversations', conversation, [
    ['https://chatgpt.com/', 'new'],
    ['https://chatgpt.com/c/6a-b', '6a-b'],
    ['https://chatgpt.com/g/g-1/c/7', '7'],
    ['https://chatgpt.com/gpts', null],
    ['https://claude.ai/new', 'new'],
    ['https://claude.ai/chat/1-2', '1-2'],
    ['https://claude.ai/settings', null],
    ['https://gemini.google.com/app', 'new'],
    ['https://gemini.google.com/app/ab12', 'ab12'],
    ['https://gemini.google.com/faq', null],
    ['https://example.org/c/1', undefined],
  ]);

  const plans = await load('adapter/plans.ts');
  const override = await load('adapter/override.ts');
  await test('a site is data: every entry of every site could be replaced by itself, and the same site comes of it', () => {
    for (const site of known) {
      const { id, name, provider, hosts, ...entries } = site;
      const { data, taken, refused } = override.overridden(site, JSON.parse(JSON.stringify({ [id]: entries })));
      same(refused, [], id);
      same(taken.length, Object.keys(entries).length, `${name} ${provider}`);
      same(data, site, hosts[0]);
    }
  });
  await test("the window is the plan's: as the site reports it, as the user has chosen it, or none", () => {
    const all = (id, chosen, { windows = {}, plan = [], mode = null, model = '' } = {}) =>
      plans.planned(
        known.find((s) => s.id === id),
        chosen,
        { windows, plan },
        mode,
        model,
      );
    const by = (...args) => {
      const { window, plan, lacks } = all(...args);
      return { window, plan, lacks };
    };
    const none = { window: null, plan: '', lacks: 'plan' };
    same(by('chatgpt', undefined), none, 'not reported');
    same(by('gemini', undefined, { mode: 'pro' }), none, 'Gemini');
    same(by('chatgpt', 'gone'), none, 'a plan that is there no more');
    same(by('chatgpt', 'plus'), { window: null, plan: 'Plus', lacks: 'mode' }, 'Plus, in a mode that is unknown');
    same(by('chatgpt', 'plus', { mode: 'instant' }), { window: 32_000, plan: 'Plus', lacks: '' }, 'Plus');
    same(by('chatgpt', 'plus', { mode: 'toString' }).window, null, 'no mode');
    same(by('chatgpt', 'plus', { plan: ['free'], mode: 'instant' }).window, 32_000, 'the site says another plan');
    same(by('claude', undefined, { plan: ['claude_pro'] }), { window: 200_000, plan: 'Pro', lacks: '' }, 'reported');
    same(by('claude', undefined, { plan: ['claude_pro', 'raven'] }), none, 'two accounts');
    same(by('gemini', 'none').window, 32_000, 'no plan');
    same(by('claude', 'model'), { window: null, plan: '', lacks: '' }, "the model's own");
    const windows = { 'gpt-5-5': 34_815, 'gpt-5-5-thinking': 262_144, 'gpt-5-5-instant': 34_815 };
    const [instant, thinking] = ['instant', 'thinking'].map((mode) => ({ windows, model: 'gpt-5.5', mode }));
    same(by('chatgpt', 'pro', instant).window, 128_000, 'a choice wins');
    same(by('chatgpt', undefined, instant).window, 34_815, "the site's list of models");
    same(by('chatgpt', undefined, thinking).window, 262_144, 'thinking');
    same(by('chatgpt', undefined, { ...instant, model: 'gpt-4o' }), none, 'another model');
    for (const site of known)
      for (const plan of site.plans?.list ?? [])
        for (const [mode, tokens] of Object.entries(plan.windows)) {
          holds(tokens >= 8000 && tokens <= 2e6, `${site.id} ${plan.id}`);
          holds(mode === 'any' || site.modes.list.some((m) => m.id === mode), `${site.id}: no mode ${mode}`);
        }
  });
  await test('of an imported file each entry is checked by itself, and refused with a sentence', () => {
    const file = {
      claude: {
        message: ['.new-message'],
        turn: 'no list',
        key: Array(41).fill('data-x'),
        conversation: ['/chat/(['],
        position: [{ attribute: 'data-n', pattern: '(\\d+)+$', first: 0 }],
        end: 'explodes',
        hosts: ['evil.example'],
        plans: { asOf: '2026-11-01', source: 'x', list: [{ id: 'pro', name: 'Pro', windows: {}, told: [], more: 1 }] },
        surprise: 1,
      },
      other: {},
    };
    const { taken, refused } = override.checkSites(known, file);
    same(taken, ['claude.message'], 'taken');
    same(refused, [
      'claude.turn: must be a list of at most 40',
      'claude.key: must be a list of at most 40',
      'claude.conversation: number 1 is not a valid pattern',
      'claude.position: number 1 pattern: has nested repetitions',
      'claude.end: must be one of drops, summarises, refuses, unknown',
      'claude.hosts: cannot be replaced',
      'claude.plans: list: number 1 unknown field more',
      'claude.surprise: cannot be replaced',
      'other: no such site',
    ]);
    // Patterns that could try for ever, and a file that is nothing but entries.
    const tries = ['(a+)+$', '^/(c|c)*x$', '((a))*b', '.*.*x', '(?:a{2,}){2}', 'a*b*', 'a*-b*-c*-d*'];
    for (const conversation of tries)
      same(override.checkSites(known, { claude: { conversation: [conversation] } }).taken, [], conversation);
    const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`entry${i}`, 1]));
    same(override.checkSites(known, { claude: flood }).refused, ['claude: has more than 200 entries'], 'flood');
    const answers = [{ path: '^/x$', method: 'GET', reads: 'claude', carries: [] }];
    const deaf = override.checkSites(known, { grok: { answers } });
    same(deaf, { taken: [], refused: ['grok.answers: cannot be read on this site'] }, 'no wrapper');
    for (const odd of [null, 5, 'x', []]) same(override.checkSites(known, odd).taken, [], String(odd));
  });

  const { plausible } = await load('adapter/site.ts');
  const talk = (...kinds) =>
    kinds
      .map((kind) => ({ kind, text: kind === 'assistant?' ? '' : 'x', digest: 0 }))
      .map((i) => ({ ...i, kind: i.kind.replace('?', '') }));
  await table('a conversation of one side alone is one that was half read', plausible, [
    [[], true],
    [talk('user'), true],
    [talk('user', 'assistant'), true],
    [talk('user', 'user', 'assistant'), true],
    [talk('user', 'user', 'user'), false],
    [talk('assistant', 'assistant', 'assistant'), false],
    [talk('user', 'assistant?', 'user', 'assistant?'), false],
  ]);

  const { parsePointed, printPointed, pagesOf } = await load('adapter/pointed.ts');
  const parsed = (line) => {
    const p = parsePointed(line, (s) => !s.includes('!'));
    return p && [printPointed(p), pagesOf(p)];
  };
  await table('pages that the user points at', parsed, [
    [
      'https://chat.example.org | .a .user | .b | textarea | gpt-5.5',
      ['https://chat.example.org | .a .user | .b | textarea | gpt-5.5', 'https://chat.example.org/*'],
    ],
    ['http://localhost:8080 | .u', ['http://localhost:8080 | .u |  |  | ', 'http://localhost/*']],
    ['http://example.org | .u', null],
    ['http://192.168.1.7:3000/c/x | Open-WebUI', ['http://192.168.1.7:3000 | open-webui', 'http://192.168.1.7/*']],
    ['http://nas:8080 | llama.cpp | llama3', ['http://nas:8080 | llama.cpp | llama3', 'http://nas/*']],
    ['http://[fd00::5]:1234 | lm-studio', ['http://[fd00::5]:1234 | lm-studio', 'http://[fd00::5]/*']],
    ['http://nas.local | librechat', ['http://nas.local | librechat', 'http://nas.local/*']],
    ['http://192.169.1.7 | open-webui', null],
    ['http://172.32.0.1 | open-webui', null],
    ['https://ai.example.org | librechat | x | y', null],
    ['https://example.org', null],
    ['https://example.org | !', null],
    ['file:///etc | .u', null],
    ['x', null],
  ]);

  const { settingsFrom, defaults } = await load('settings.ts');
  await table('settings that were tampered with', settingsFrom, [
    [null, defaults],
    [5, defaults],
    [{ format: 'x', off: 'y', windows: 3, plans: [5], threshold: 'z', corner: [] }, defaults],
    [
      {
        format: 'tokens',
        off: ['claude', 7],
        windows: { a: 5, b: -1, c: 'x' },
        threshold: 70,
        corner: 'top left',
        dragged: [5, 2000],
      },
      {
        format: 'tokens',
        mode: 'hybrid',
        off: ['claude'],
        windows: { a: 5 },
        plans: {},
        threshold: 70,
        atSend: true,
        limitsFrom: 0,
        corner: 'top left',
        dragged: null,
        asked: [],
      },
    ],
  ]);

  await test('an open options page writes its edits only, and another one undoes nothing', async () => {
    const { withEdits } = await load('settings.ts');
    const of = (more) => ({ ...defaults, ...more });
    const filled = of({
      plans: { claude: 'pro', gemini: 'plus' },
      windows: { a: 1, b: 2 },
      off: ['grok'],
      asked: ['x'],
    });
    const now = of({ ...filled, threshold: 70, plans: { claude: 'max', gemini: 'plus' }, off: ['grok', 'kimi'] });
    same(withEdits(now, filled, filled), now, 'nothing was edited');
    const form = of({ ...filled, format: 'tokens', plans: { claude: 'pro' }, windows: { b: 3, c: 4 }, off: ['qwen'] });
    same(
      withEdits(now, filled, form),
      of({ ...now, format: 'tokens', plans: { claude: 'max' }, windows: { b: 3, c: 4 }, off: ['kimi', 'qwen'] }),
      'edits',
    );
    const dragged = of({ ...now, dragged: [1, 2] });
    same(withEdits(dragged, filled, form).dragged, [1, 2], 'stays where it was dragged to');
    same(withEdits(dragged, filled, of({ ...form, corner: 'top left' })).dragged, null, 'until a corner is chosen');
  });
  await test('the plans are asked for after the installation, and not after an update', async () => {
    const { afterInstall } = await load('worker/installed.ts');
    const opened = [];
    let searches = 0;
    let installed;
    globalThis.chrome = {
      runtime: { onInstalled: { addListener: (f) => (installed = f) }, getURL: (path) => `x://${path}` },
      tabs: { create: async ({ url }) => opened.push(url), query: async () => Array(searches++ * 0) },
      storage: { local: { get: async () => ({}) } },
    };
    try {
      afterInstall();
      for (const reason of ['update', 'chrome_update', 'install']) installed({ reason });
      while (searches < 3) await new Promise((r) => setTimeout(r));
      same(opened, ['x://options/options.html#first']);
    } finally {
      delete globalThis.chrome;
    }
  });

  const { placeFor, draggedTo } = await load('content/place.ts');
  const badge = { left: 0, top: 0, width: 100, height: 24 };
  const placed = ([wanted, composer, rightToLeft = false, dragged = null, covered = () => false]) => {
    const at = placeFor(wanted, dragged, badge, { width: 1000, height: 700, composer, rightToLeft }, covered);
    return at && [at.left, at.top];
  };
  const composer = { left: 200, top: 600, width: 600, height: 60 };
  const whole = { left: 0, top: 0, width: 1000, height: 700 };
  await table('where the badge is: at the field or in a corner, over no control, else where it is wanted', placed, [
    [
      ['field', composer],
      [700, 666],
    ],
    [
      ['field', { ...composer, height: 90 }],
      [700, 570],
    ],
    [
      ['field', composer, true],
      [200, 666],
    ],
    [
      ['field', null],
      [888, 664],
    ],
    [
      ['field', null, true],
      [12, 664],
    ],
    [
      ['bottom right', { ...whole, top: 640, height: 60 }],
      [888, 56],
    ],
    [
      ['bottom right', { left: 800, top: 0, width: 200, height: 700 }],
      [12, 664],
    ],
    [
      ['bottom right', whole],
      [888, 664],
    ],
    [
      ['field', composer, false, null, (p) => p.top > 300],
      [888, 56],
    ],
    [
      ['field', composer, false, [1000, 0]],
      [900, 0],
    ],
  ]);
  await test('of 1,000 layouts none has a control below the badge where a free place is left (seeded)', () => {
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    let state = seed;
    const random = (n) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) % n;
    };
    const meets = (a, b) =>
      a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
    let rows = 0;
    let nowhere = 0;
    for (let i = 0; i < 1000; i++) {
      const zoom = 0.5 + random(26) / 10;
      const [width, height] = i % 5 === 0 ? [320, 480] : [Math.round(1280 / zoom), Math.round(800 / zoom)];
      const rightToLeft = random(3) === 0;
      const button = (left, top, w = 24 + random(20), h = 24 + random(16)) => ({ left, top, width: w, height: h });
      const controls = [];
      // A bar, side panels with rows of buttons, buttons that float, and those of messages.
      for (let n = random(8); n > 0; n--) controls.push(button(random(width), random(40)));
      const panel = random(2) ? Math.min(260, width / 2) : 0;
      for (let top = 0; panel > 0 && top < height; top += 44)
        controls.push(button(rightToLeft ? width - panel : 0, top, panel, 40));
      for (let n = random(6); n > 0; n--) controls.push(button(random(width), random(height)));
      const wide = Math.max(200, Math.min(720, width - panel - 40));
      const left =
        panel > 0 && !rightToLeft ? panel + 10 : Math.max(0, (width - wide) / 2) + (random(6) ? 0 : random(300));
      const tall = 60 + random(120);
      const composer = { left, top: random(2) ? height - tall - random(40) : height / 2, width: wide, height: tall };
      const send = button(rightToLeft ? left + 8 : left + wide - 44, composer.top + tall - 42, 36, 36);
      const field = { left: left + 8, top: composer.top + 6, width: wide - 16, height: Math.max(10, tall - 54) };
      controls.push(send, field);
      // The row of the field: some buttons beside the one that sends, and some at the other end.
      for (
        let n = random(4), x = rightToLeft ? send.left + 44 : send.left - 44;
        n > 0;
        n--, x += rightToLeft ? 44 : -44
      )
        controls.push(button(x, send.top, 36, 36));
      for (let n = random(4), x = rightToLeft ? left + wide - 44 : left + 8; n > 0; n--, x += rightToLeft ? -44 : 44)
        controls.push(button(x, send.top, 36, 36));
      const own = { left: 0, top: 0, width: 70 + random(110), height: 24 };
      const around = {
        width,
        height,
        composer: random(9) ? composer : null,
        send: random(9) ? send : null,
        rightToLeft,
      };
      const covers = (p) => controls.some((c) => meets(p, c));
      const wanted = ['field', 'field', 'field', 'top right', 'bottom left'][random(5)];
      const place = placeFor(wanted, null, own, around, covers);
      if (place === null) {
        nowhere++;
        const step = 16;
        for (let y = 0; y <= height - own.height; y += step)
          for (let x = 0; x <= width - own.width; x += step)
            holds(covers({ ...own, left: x, top: y }), `seed ${seed}, layout ${i}: ${x}, ${y} is free`);
        continue;
      }
      const what = `seed ${seed}, layout ${i}, ${wanted}, ${width} x ${height}: ${JSON.stringify(place)}`;
      holds(place.left >= 0 && place.left + own.width <= width + 1, `outside of the window: ${what}`);
      holds(place.top >= 0 && place.top + own.height <= height + 1, `outside of the window: ${what}`);
      if (around.composer && meets(place, composer)) rows++;
      holds(!covers(place), `a control is covered: ${what}`);
    }
    holds(rows > 200, `in the row of the field in ${rows} layouts`);
    holds(nowhere < 100, `${nowhere} layouts without a place`);
  });
  same(draggedTo({ left: 900, top: -5, width: 100, height: 24 }, 1000, 700), [1000, 0], 'dragged');

  const { lightness } = await load('content/theme.ts');
  await table(
    'how light a page is',
    (colour) => [lightness(colour)].map((l) => (l === null ? 'unknown' : l < 0.5 ? 'dark' : 'light'))[0],
    [
      ['rgb(255, 255, 255)', 'light'],
      ['rgb(31, 31, 30)', 'dark'],
      ['rgba(0, 0, 0, 0)', 'unknown'],
      ['', 'unknown'],
    ],
  );

  const { batches, Conversation, credible } = await load('worker/conversation.ts');
  const { chain } = await load('messages.ts');
  const { ResponseReader } = await load('traffic/responses.ts');
  const page = (items, from = 0) => ({
    type: 'sync',
    site: 'claude',
    conversation: 'c',
    page: 'p',
    provider: 'anthropic',
    model: 'claude-opus-5',
    coverage: { read: 1, of: 1, more: false, files: 0, pictures: 0, reports: 0, unreadable: 0, loaded: 'none' },
    planned: plans.unplanned,
    pointed: true,
    from,
    before: items.slice(0, from).reduce((sum, i) => chain(sum, i.digest), 0),
    items: items.slice(from),
    draft: '',
  });
  const said = (text, digest) => ({ kind: 'user', text, digest });

  await test('without a plan there are tokens and no percentage, and the model counts as it did', async () => {
    const core = await newCore();
    const sync = { ...page([said('x '.repeat(5000), 1)]), planned: { ...plans.unplanned, lacks: 'plan' } };
    const c = await Conversation.open(core, 'c', { id: 1, secret: false }, sync, set.defaults);
    const reading = await c.sync(sync);
    same([reading.limit, reading.limitSource, reading.compaction.level], [null, 'unknown', 'ok']);
    const { lines } = await look.withLines(core, reading, 'percent', say);
    same([/%/.test(lines.badge), /%/.test(lines.toolbar), /%/.test(lines.popup)], [false, false, false], lines.badge);
    const answered = await c.sync({
      ...page([said('x '.repeat(5000), 1)]),
      planned: { ...plans.unplanned, window: 32_000, plan: 'Plus' },
    });
    same(answered.limit, 32_000, 'answered');
  });
  await test('what no page shows takes another size without a recount, and stays so in a kept conversation', async () => {
    const core = await newCore();
    const calls = [];
    const call = (method, params) => calls.push([method, params]) && core.call(method, params);
    const { unseenItem } = await load('adapter/unseen.ts');
    const size = { model: '', least: 3_200, usual: 22_000, most: null };
    const talk = [said('Why does the build fail? '.repeat(300), 1), { ...said('Because. ', 2), kind: 'assistant' }];
    const shown = (isLeast) => page([unseenItem(size, isLeast), ...talk]);
    const c = await Conversation.open({ call }, 'c', { id: 1, secret: false }, page([]), set.defaults);
    const least = await c.sync(shown(true));
    const begun = calls.length;
    const usual = await c.sync(shown(false));
    same(usual.used - least.used, 22_000 - 3_200, 'used');
    const sent = calls.slice(begun).filter(([method]) => method === 'ctx/session/update');
    same(
      sent.map(([, p]) => [p.replace?.length, p.removeFrom, p.append]),
      [[1, undefined, undefined]],
      'sent',
    );
    const { id, ...tab } = { id: 'd', secret: false };
    const again = await Conversation.restore({ call }, id, { id: 1, ...tab }, page([]), await c.saved(), set.defaults);
    same((await again.sync(shown(true))).used, least.used, 'kept');
    // A measurement is compared with the shown messages, not with hidden ones.
    const measured = await again.usage({ input_tokens: least.used });
    same(measured.lastRequest?.in, least.used, 'measured');
  });
  await test('no name of a file is kept, and each file stays a row of its own', async () => {
    const core = await newCore();
    const file = (name, digest) => ({ kind: 'user', text: `${name} `.repeat(400), file: name, digest });
    const named = [file('salary-of-anna.txt', 11), file('divorce.pdf', 12)];
    const items = [{ ...said('Read these.', 1) }, ...named.map((f) => ({ ...f, text: 'x y z '.repeat(400) }))];
    const c = await Conversation.open(core, 'c', { id: 1, secret: false }, page([]), set.defaults);
    const reading = await c.sync(page(items));
    same(new Set(reading.largest.filter((l) => l.what === 'file').map((l) => l.label.text)).size, 2, 'rows');
    same(/salary|divorce|anna/.exec(JSON.stringify([await c.saved(), reading])), null, 'a name');
    const again = await Conversation.restore(
      core,
      'd',
      { id: 1, secret: false },
      page([]),
      await c.saved(),
      set.defaults,
    );
    same((await again.sync(page(items))).used, reading.used, 'after the worker slept');
  });
  await test('a page without a model loses the one that was kept, and an unreadable one keeps it', async () => {
    const core = await newCore();
    const of = (model) => ({ ...page([said('Why does the build fail? '.repeat(300), 1)]), model });
    const c = await Conversation.open(core, 'c', { id: 1, secret: false }, page([]), set.defaults);
    const { limit } = await c.sync(of('claude-opus-5'));
    const again = await Conversation.restore(
      core,
      'd',
      { id: 1, secret: false },
      page([]),
      await c.saved(),
      set.defaults,
    );
    same((await again.sync(of(null))).limit, limit, 'not readable');
    same([again.recounts(of(null)), again.recounts(of(''))], [false, true], 'counted again');
    const reading = await again.sync(of(''));
    same([reading.model, reading.limit], ['', null], 'none');
  });
  await test('a conversation survives a crash of the core, with its measurements', async () => {
    const c = await Conversation.open(await newCore(), 'c', { id: 1, secret: false }, page([]), set.defaults);
    await c.sync(page([said('Why does the build fail?', 1)]));
    const measured = await c.usage({ input_tokens: 50_000, output_tokens: 300 });
    same(measured.lastRequest.in, 50_000);
    await c.moveTo(await newCore());
    const reading = await c.sync(page([said('Why does the build fail?', 1)]));
    same([reading.lastRequest?.in, reading.used], [50_000, measured.used]);
  });
  await test('a crossed level is shown once, and not again by a worker that continues the conversation', async () => {
    const core = await newCore();
    const c = await Conversation.open(core, 'c', { id: 1, secret: false }, page([]), set.defaults);
    const at = async (tokens) => c.crossed(await c.usage({ input_tokens: tokens }));
    same([await at(100_000), await at(880_000), await at(870_000)], [false, true, false], 'soon');
    same([await at(885_000), await at(884_000), await at(886_000)], [true, false, false], 'now, at this pace');
    const again = await Conversation.restore(
      core,
      'd',
      { id: 1, secret: false },
      page([]),
      await c.saved(),
      set.defaults,
    );
    same(await again.crossed(await again.draft('')), false);
  });
  await test('an invalid or impossible usage does not change the measurement', async () => {
    const provider = { ...set.defaults, mode: 'provider' };
    const c = await Conversation.open(await newCore(), 'c', { id: 1, secret: false }, page([]), provider);
    const measured = await c.usage({ input_tokens: 50_000, output_tokens: 300 });
    same((await c.usage({ colour: 'blue' })).display.percent, measured.display.percent, 'none');
    const { used, lastRequest } = await c.usage({ input_tokens: 900_000_000 });
    same([used, lastRequest.in], [measured.used, 50_000], 'cannot be');
  });
  await test('a hundred thousand messages of a page never become a measurement that cannot be (seeded)', async () => {
    const text = 'A message that is visible, and of some length. '.repeat(60);
    const c = await Conversation.open(await newCore(), 'c', { id: 1, secret: false }, page([]), set.defaults);
    const visible = (await c.sync(page([said(text, 1), { ...said(text, 2), kind: 'assistant' }]))).used;
    const e = new ResponseReader(known.find((s) => s.id === 'claude').answers, 'https://claude.ai');
    const { presets } = await load('adapter/index.ts');
    const home = (id, port) =>
      new ResponseReader(
        presets.find((p) => p.id === id).answers,
        `http://192.168.7.5:${port}`,
        (u) => u.hash.slice(7) || null,
      );
    const readers = [e, home('llama.cpp', 8080), home('open-webui', 3000)];
    let seed = 1_000_000;
    const random = (n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed >>> 8) % n;
    };
    const one = 'https://claude.ai/api/organizations/o/chat_conversations/c/completion';
    const urls = [
      one,
      one,
      one.replace('/c/', '/d/'),
      'https://claude.ai/api/completion',
      'https://evil.example/x',
      '',
      5,
    ];
    const llama = 'http://192.168.7.5:8080/v1/chat/completions';
    const own = [
      urls,
      [llama, llama, llama.replace('8080', '1234'), 'http://192.168.7.5:8080/props', 'https://evil.example/models'],
      ['http://192.168.7.5:3000/api/v1/chats/c', 'http://192.168.7.5:3000/api/v1/chats/d'],
    ];
    const numbers = [
      0,
      1,
      -5,
      312,
      777,
      4096,
      180_000,
      900_000_000,
      2 ** 60,
      Infinity,
      '5',
      null,
      visible,
      visible >> 1,
    ];
    const odd = () => numbers[random(numbers.length)];
    const bodies = [
      () => `data: ${JSON.stringify({ type: 'message_start', message: { usage: { input_tokens: odd() } } })}\n`,
      () =>
        `data: ${JSON.stringify({ type: 'message_delta', usage: { input_tokens: odd(), output_tokens: odd() } })}\n`,
      () => JSON.stringify({ usage: { input_tokens: odd() } }),
      () => JSON.stringify({ error: { message: `prompt is too long: ${odd()} tokens > ${odd()} maximum` } }),
      () => 'x'.repeat(random(200)),
      () => `data: ${JSON.stringify({ usage: { prompt_tokens: odd(), completion_tokens: odd() } })}\n`,
      () => `data: ${JSON.stringify({ timings: { cache_n: odd(), prompt_n: odd(), predicted_n: odd() } })}\n`,
      () => JSON.stringify({ object: 'response', output: [{}], usage: { input_tokens: odd(), output_tokens: odd() } }),
      () => JSON.stringify({ error: { type: 'exceed_context_size_error', message: 'x', n_ctx: odd(), code: 400 } }),
      () =>
        JSON.stringify({
          id: 'c',
          chat: {
            history: { currentId: 'm', messages: { m: { role: 'assistant', usage: { prompt_tokens: odd() } } } },
          },
        }),
    ];
    // Each response is tried once; a repetition would prove nothing more.
    const tried = new Set();
    for (let i = 0; i < 100_000; i++) {
      const body = bodies[random(bodies.length)]();
      const which = random(readers.length);
      const response = {
        url: own[which][random(own[which].length)],
        method: random(8) ? 'POST' : 'GET',
        page: `http://192.168.7.5:8080/#/chat/${random(3) ? 'c' : 'd'}`,
        status: [200, 200, 400, 500, '200'][random(5)],
        body,
      };
      const forged = [{ ctxLspResponse: response }, { ctxLspUsage: response }, response, null, i, body, [response]][
        random(4) ? 0 : random(7)
      ];
      const facts = readers[which].read(forged, i * 60);
      if (facts?.conversation !== 'c') continue;
      const what = JSON.stringify(facts);
      if (tried.size >= 700 || tried.has(what)) continue;
      tried.add(what);
      const reports = [...(facts.usage ?? []).map((u) => c.usage(u.usage, u.provider, u.whole))];
      if (facts.refused) reports.push(c.refused(facts.refused.error, facts.refused.status));
      for (const reading of await Promise.all(reports)) {
        const { lastRequest, limit, limitSource } = reading;
        const measured = lastRequest?.in ?? null;
        holds(
          measured === null || (10 * measured >= 7 * visible && measured <= limit) || limitSource === 'error',
          `seed 1000000, ${i}: ${measured} of ${limit} with ${visible} visible after ${body}`,
        );
        holds(limitSource !== 'error' || limit >= visible, `seed 1000000, ${i}: a window of ${limit} after ${body}`);
      }
    }
    same(tried.size, 700, 'different responses');
  });
  await test('a message that cannot be sent to the core is the first that is sent again', async () => {
    const core = await newCore();
    let failing = true;
    const call = (method, params) =>
      failing && params.append?.[0].text.startsWith('second')
        ? Promise.reject(new Error('no room'))
        : core.call(method, params);
    const c = await Conversation.open({ call }, 'c', { id: 1, secret: false }, page([]), set.defaults);
    const large = (word) => word.repeat(Math.ceil(1_500_000 / word.length));
    const items = [said(large('first '), 1), said(large('second '), 2)];
    const fault = await c.sync(page(items)).catch((e) => e.message);
    same([fault, c.has], ['no room', [1]]);
    failing = false;
    await c.sync(page(items, 1));
    const { items: held } = await core.call('ctx/session/items', { id: 'c', top: 10 });
    same([c.has, held.length], [[1, 2], 2]);
  });
  await test('a conversation larger than one call is sent in several', () => {
    const items = Array.from({ length: 10 }, (_, i) => ({ kind: 'user', text: 'x'.repeat(600_000), digest: i }));
    same(
      batches(items).map((b) => b.length),
      [3, 3, 3, 1],
      'sizes',
    );
    same(batches([{ kind: 'user', text: 'x'.repeat(3_000_000), digest: 0 }]).length, 1, 'one large');
  });
  await table(
    'numbers that a page cannot have been given',
    ([reading, visible, answered]) => credible({ lastRequest: null, ...reading }, visible, answered),
    [
      [[{ limitSource: 'registry', limit: 200000, lastRequest: { in: 198000 } }, 100, 0], true],
      [[{ limitSource: 'registry', limit: 200000, lastRequest: { in: 200001 } }, 100, 0], false],
      [[{ limitSource: 'unknown', limit: null, lastRequest: { in: 1e9 } }, 0, 0], false],
      [[{ limitSource: 'registry', limit: 200000, lastRequest: { in: 699 } }, 1000, 0], false],
      [[{ limitSource: 'registry', limit: 200000, lastRequest: { in: 700 } }, 1000, 0], true],
      [[{ limitSource: 'error', limit: 10 }, 5, 0], false],
      [[{ limitSource: 'error', limit: 8000 }, 9000, 8001], false],
      [[{ limitSource: 'error', limit: 8000 }, 9000, 7000], true],
      [[{ limitSource: 'error', limit: 190000, lastRequest: { in: 210000 } }, 9000, 7000], true],
    ],
  );

  const marked = await load('options/marked.ts');
  const tables = new Uint8Array(await readFile(join(import.meta.dirname, '../src/options/marked.tables')));
  const packsOf = (file) => {
    const published = JSON.parse(file);
    if (!marked.isPublished(published)) throw new Error('no pieces');
    return marked.packsOf(published, tables);
  };
  // The real vocabularies of Claude are used if they are installed.
  const real = process.env.CTX_VOCABULARIES ? [join(process.env.CTX_VOCABULARIES, 'claude')] : [];
  for (const folder of [join(root, 'testdata/vocabularies'), ...real])
    await test(`packs of Claude's pieces are those that the program makes (${basename(folder)})`, async () => {
      const data = await mkdtemp(join(tmpdir(), 'ctx-packs-'));
      try {
        const files = ['pieces_v3.json', 'pieces_v4_7.json'].map((name) => join(folder, name));
        added(data, files);
        const made = (await Promise.all(files.map((f) => readFile(f, 'utf8')))).flatMap(packsOf);
        const kept = join(data, 'ctx-lsp/vocab');
        same((await readdir(kept)).sort(), made.map((p) => `${p.name}.ctxv`).sort(), 'names');
        for (const { name, pack } of made)
          holds(Buffer.from(pack).equals(await readFile(join(kept, `${name}.ctxv`))), `${name} differs`);
      } finally {
        await rm(data, { recursive: true });
      }
    });
  await test('exactly the pieces of Claude that the program refuses are refused here', async () => {
    const meta = { family: 'v3', message_overhead: 11, fold_quotes: true, allcaps_min: 4 };
    const odd = (pieces, group = 'word_pieces', more = {}) =>
      JSON.stringify({
        meta: { ...meta, ...more },
        tokens: { [group]: Object.fromEntries(pieces.map((p) => [p, {}])) },
      });
    const files = {
      'a word': odd(['⟨shift⟩⟨bow⟩the⟨eow⟩', '⟨0x41⟩b', 'é', '中', '  ', '123', '==', '\u{10000}']),
      'a contraction': odd(["'s"], 'contractions'),
      bytes: odd(['f09f98', 'c3', 'e4b8', 'F0'], 'bytes_fallback'),
      'a whole character as bytes': odd(['c3a9'], 'bytes_fallback'),
      'bytes that begin nothing': odd(['80'], 'bytes_fallback'),
      'an overlong form': odd(['e080'], 'bytes_fallback'),
      'a surrogate': odd(['eda0'], 'bytes_fallback'),
      'half a byte': odd(['c3f'], 'bytes_fallback'),
      'an unknown mark': odd(['⟨end⟩']),
      'an open bracket': odd(['a⟨b']),
      'a mark as a byte': odd(['⟨0xf8⟩']),
      'bytes that are no text': odd(['⟨0xc3⟩']),
      'text behind the end': odd(['the⟨eow⟩re']),
      'a late begin': odd(['the⟨bow⟩']),
      'a late capital': odd(['a⟨shift⟩b']),
      'a word and a digit': odd(['a1']),
      'a word and a sign': odd(['a.']),
      'two ideographs': odd(['中文']),
      'a marked blank': odd(['⟨bow⟩ ']),
      nothing: odd(['']),
      'something long': odd(['x'.repeat(256)]),
      'another family': odd(['a'], 'word_pieces', { family: 'v9' }),
      'another end of messages': odd(['a'], 'word_pieces', { frame_tail: 'steps' }),
      'no overhead': odd(['a'], 'word_pieces', { message_overhead: undefined }),
      'a fraction': odd(['a'], 'word_pieces', { message_overhead: 1.5 }),
      'no groups': JSON.stringify({ meta, tokens: {} }),
      'a tokenizer.json': JSON.stringify({ meta, tokens: {}, model: {} }),
    };
    const data = await mkdtemp(join(tmpdir(), 'ctx-odd-'));
    const refused = (f) => {
      try {
        f();
        return false;
      } catch {
        return true;
      }
    };
    try {
      let good = 0;
      for (const [name, file] of Object.entries(files)) {
        const path = join(data, 'pieces.json');
        await writeFile(path, file);
        await rm(join(data, 'ctx-lsp'), { recursive: true, force: true });
        const there = refused(() => added(data, [path]));
        same(
          refused(() => packsOf(file)),
          there,
          name,
        );
        if (!there) good++;
      }
      same(good, 3, 'files that are good');
    } finally {
      await rm(data, { recursive: true });
    }
  });
}
