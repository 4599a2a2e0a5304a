// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

const locales = join(import.meta.dirname, '../_locales');
const messages = async (language) => JSON.parse(await readFile(join(locales, language, 'messages.json'), 'utf8'));
const sayOf =
  (all) =>
  (key, ...args) =>
    all[key] ? all[key].message.replace(/\$(\d)/g, (_, n) => args[n - 1] ?? '') : key;

/** Tests the badge's details, the options and the picker with given data, without a browser. */
export async function views({ test }) {
  const [en, de] = [await messages('en'), await messages('de')];
  const [english, german] = [sayOf(en), sayOf(de)];

  await test('both languages have the same messages, with the same words to fill in', () => {
    same(Object.keys(en).sort(), Object.keys(de).sort(), 'messages');
    const holes = (all, key) => [...new Set(all[key].message.match(/\$\d/g) ?? [])].sort();
    for (const key of Object.keys(en)) same(holes(de, key), holes(en, key), key);
    const formal = Object.entries(de).filter(([, m]) =>
      /\b(Sie haben|Ihr|Ihre|Ihren|Dein|Deine|Deiner)\b/.test(m.message),
    );
    same(formal, [], 'one form of address');
  });

  const numbers = await load('content/numbers.ts');
  await test('numbers are formatted in the language of the text', () => {
    for (const [line, wanted] of [
      ['~62% of 200k', '~62\u00a0% of 200k'],
      ['≥\u00a065.8k', '≥\u00a065,8k'],
      ['0.0% · noch nichts gemessen', '0,0\u00a0% · noch nichts gemessen'],
    ])
      same([numbers.localised(line, 'en'), numbers.localised(line, 'de')], [line, wanted], line);
    const { tokens, percent, signed } = numbers.numbersOf(german);
    same([tokens(12_345), percent(5.25), signed(7)], ['12.345', '5,3\u00a0%', '+7'], 'German');
    same(numbers.numbersOf(english).tokens(12_345), '12,345', 'English');
  });

  const limits = await load('content/limits.ts');
  await test('a limit of the site is shown with its hours, its use and its reset', () => {
    const now = new Date(2026, 10, 22, 12).getTime();
    const said = (window, hours) =>
      limits.limitSentence({ window, used: 62, resets: hours && now + hours * 3_600_000 }, now, english);
    same(said('5h', 3).replace(/\s/g, ' '), '5-hour limit: 62% used, resets 3:00 PM', 'hours');
    same(said('7d', 50).replace(/\s/g, ' '), '7-day limit: 62% used, resets Tuesday 2:00 PM', 'days');
    same(said('7d_opus', null), '7-day limit, opus: 62% used', 'of one model');
    same(said('overage', null), 'Limit “overage”: 62% used', 'a name nobody knows');
  });

  const { handover } = await load('content/handover.ts');
  const piece = (kind, text, file) => ({ kind, text, ...(file && { file }), digest: 0 });
  await test('the hand-over prompt has the beginning, the questions, the files and the end, and is bounded', () => {
    const talk = [
      piece('user', 'Plan a garden.'),
      piece('user', 'content of the plan', 'plot.pdf'),
      piece('reasoning', 'secret thought'),
      piece('assistant', 'Begin with the soil.'),
      piece('user', 'Which trees?'),
      piece('assistant', 'Apple and pear.'),
      piece('user', 'And water?'),
      piece('assistant', 'Twice a week.'),
    ];
    const text = handover(talk, 'Claude', english);
    for (const words of [
      'Plan a garden.',
      '- Which trees?',
      '- plot.pdf',
      'Apple and pear.',
      'And water?',
      'Twice a week.',
    ])
      holds(text.includes(words), `${words} in ${text}`);
    holds(!text.includes('secret thought') && !text.includes('content of the plan'), 'only what both sides said');
    const one = handover([piece('user', 'Hi'), piece('assistant', 'Hello')], 'Gemini', german);
    holds(one.includes('Hi') && one.includes('Hello') && one.split('\nHi\n').length === 2, one);
    holds(handover([], 'Grok', english).length < 1000, 'nothing');
    const long = Array.from({ length: 4000 }, (_, i) => piece(i % 2 ? 'assistant' : 'user', '🎉é '.repeat(5000)));
    const bounded = handover(long, 'ChatGPT', english);
    holds(bounded.length < 60_000, `${bounded.length} signs`);
    holds(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(bounded), 'cut within a sign');
  });

  const { windowOf } = await load('options/windows.ts');
  const { sites } = await load('adapter/index.ts');
  await test('a line of the windows is read as users write it, or refused with the reason', () => {
    for (const [line, wanted] of [
      ['claude 200000', ['claude', 200_000]],
      ['ChatGPT 32k', ['chatgpt', 32_000]],
      ['Le Chat 128K', ['mistral', 128_000]],
      ['claude 200,000', ['claude', 200_000]],
      ['claude 200.000', ['claude', 200_000]],
      ['claude 0.2M', ['claude', 200_000]],
      ['claude 1,5k', ['claude', 1500]],
      ['chatgpt/gpt-5.5 128k', ['chatgpt/gpt-5.5', 128_000]],
      ['chatgpt/gpt-5-5-thinking 256k', ['chatgpt/gpt-5.5', 256_000]],
      ['claude/Opus 5 500k', ['claude/claude-opus-5', 500_000]],
      ['claude', 'windowNoTokens'],
      ['claude many', 'windowNoTokens'],
      ['claude -5', 'windowNoTokens'],
      ['claude 1.5', 'windowNoTokens'],
      ['claude 0', 'windowTooLarge'],
      ['claude 99999999999', 'windowTooLarge'],
      ['claud 200k', 'windowNoSite'],
      ['5 5', 'windowNoSite'],
      ['', 'windowNoTokens'],
    ]) {
      const w = windowOf(line, sites);
      same('wrong' in w ? w.wrong[0] : [w.key, w.tokens], wanted, line);
    }
  });

  const pick = await load('pick/selectors.ts');
  await test('from one message of each side the picker finds all of both, on pages of any make', () => {
    const turns = (n, make) => Array.from({ length: n }, (_, i) => make(i)).join('');
    for (const [name, html, mine, answer, wanted] of [
      [
        'attributes of roles',
        turns(
          6,
          (i) =>
            `<div class="flex gap-2" data-role="${i % 2 ? 'assistant' : 'user'}"><div class="p-4"><p>text ${i}</p></div></div>`,
        ),
        'div:nth-child(3) p',
        'div:nth-child(4) p',
        [3, 3],
      ],
      [
        'classes inside equal rows',
        turns(8, (i) => `<li class="row"><div class="${i % 2 ? 'bubble left' : 'bubble right'}">text ${i}</div></li>`),
        'li:nth-child(1) div',
        'li:nth-child(2) div',
        [4, 4],
      ],
      [
        'elements of their own',
        turns(4, (i) => (i % 2 ? `<bot-message><p>${i}</p></bot-message>` : `<my-message><p>${i}</p></my-message>`)),
        'my-message p',
        'bot-message p',
        [2, 2],
      ],
      [
        'ids of single messages',
        turns(
          6,
          (i) => `<div class="${i % 2 ? 'reply' : 'ask'}" data-message-id="0a1b2c3d-${i}000"><span>${i}</span></div>`,
        ),
        '.ask span',
        '.reply span',
        [3, 3],
      ],
      [
        'names with signs that selectors need escaped',
        turns(4, (i) => `<div class="${i % 2 ? 'md:w-[80%] bg-x' : 'md:ml-auto bg-y'}"><p>${i}</p></div>`),
        'div:nth-child(1) p',
        'div:nth-child(2) p',
        [2, 2],
      ],
    ]) {
      const { document } = windowWith(`<main>${html}</main>`);
      const found = pick.selectorsOf(
        document.querySelector(`main > ${mine}`),
        document.querySelector(`main > ${answer}`),
      );
      const count = found && [found.user, found.assistant].map((s) => document.querySelectorAll(s).length);
      same(count, wanted, `${name}: ${JSON.stringify(found)}`);
    }
    const { document } = windowWith('<main><p>a</p><p>b</p></main>');
    const [a, b] = document.querySelectorAll('p');
    same(pick.selectorsOf(a, b), null, 'two that nothing tells apart');
    same(pick.selectorsOf(a.parentElement, b), null, 'one inside the other');
  });

  const { lightness } = await load('content/theme.ts');
  await test('how light a colour is, in whichever way a page writes it', () => {
    for (const [colour, wanted] of [
      ['rgb(255, 255, 255)', 1],
      ['rgba(0, 0, 0, 0)', null],
      ['rgb(33 33 33)', 0.13],
      ['oklch(0.21 0.006 285.9)', 0.21],
      ['oklch(98% 0 0 / 1)', 0.98],
      ['lab(20 1 2)', 0.2],
      ['color(srgb 0.1 0.1 0.1)', 0.1],
      ['color(display-p3 1 1 1 / 0.2)', null],
      ['', null],
    ]) {
      const light = lightness(colour);
      same(light === null ? null : Math.round(light * 100) / 100, wanted, colour);
    }
  });
}

/** A page without a browser. The selectors' module asks for what every browser has. */
function windowWith(html) {
  const { window } = new JSDOM(html);
  globalThis.Element ??= window.Element;
  globalThis.CSS ??= { escape: (s) => s.replace(/[^\w-]/g, (c) => `\\${c}`) };
  return window;
}
