// Copyright The ctx-lsp authors. MIT licence.

import { talkOf } from './answers.mjs';
import { until } from './chromium.mjs';
import { long, native } from './expect.mjs';
import { hosted, length, others, providers } from './others.mjs';

const all = talkOf(length).map(([kind, text]) => ({ kind, text }));
const part = (words) => /at least/.test(words ?? '');
const says = (used) => (words) => words?.includes(`${used} `);
const whole = (used) => (words) => says(used)(words) && !part(words);

/** The smaller sites and the programs that people run themselves, in real Chromium. `point` saves lines of pages. */
export async function inOthers(browse, point) {
  await browse('the smaller sites are counted whole, and go on', async (open) => {
    for (const [site, address] of Object.entries(others)) {
      const page = await open(address);
      const model = { provider: providers[site] };
      await until(page, whole(native(model, all).used), site);
      await page.evaluate((text) => fake.say('assistant', text), long.repeat(200));
      await until(
        page,
        whole(native(model, [...all, { kind: 'assistant', text: long.repeat(200) }]).used),
        `${site} goes on`,
      );
    }
  });
  await browse('smaller sites that let turns go show a least number, until one has scrolled through', async (open) => {
    for (const site of ['deepseek', 'aistudio']) {
      const page = await open(`${others[site]}?few`);
      const model = { provider: providers[site] };
      await until(page, (w) => says(native(model, all.slice(34)).used)(w) && part(w), `${site}: six`);
      for (let i = 30; i >= 0; i -= 5) {
        await page.evaluate((i) => fake.mount(i, i + 8), i);
        await page.waitForTimeout(120);
      }
      await until(page, whole(native(model, all).used), `${site}: scrolled through once`);
    }
  });
  await browse('DeepSeek tells the tokens itself: the largest count, and it is measured', async (open) => {
    const page = await open(`${others.deepseek}?few&load`);
    await until(page, (w) => /\b5k /.test(w ?? '') && !part(w), 'its own count');
  });
  await browse('programs at home are read by a preset, with what their servers answer', async (open) => {
    await point(Object.entries(hosted).map(([preset, address]) => `${new URL(address).origin} | ${preset}`));
    try {
      for (const [preset, address] of Object.entries(hosted)) {
        const page = await open(address);
        await until(page, (w) => says(native({}, all).used)(w), `${preset}: by what it shows`);
      }
      const at = (preset) => open(hosted[preset].replace(/(:\d+)\/([^#]*)/, '$1/$2?load'));
      // Open WebUI: the last answer's usage, and the window that its model was loaded with.
      const webui = await at('open-webui');
      await until(webui, (w) => /74\s?%/.test(w ?? '') && w.includes('6.1k'), 'Open WebUI');
      const chat = await at('librechat');
      await until(chat, whole(native({}, [...all, { kind: 'reasoning', text: 'Let me see.' }]).used), 'LibreChat');
      // llama.cpp: timings of the answer that the page shows, and not those of a title.
      const llama = await at('llama.cpp');
      await until(llama, (w) => w?.includes('4.1k') && /%/.test(w), 'its window');
      await llama.evaluate(() => fake.ask('title'));
      await llama.evaluate(() => {
        fake.say('user', 'And now?');
        fake.say('assistant', 'It is the new answer.');
      });
      await llama.evaluate(() => fake.ask());
      await until(llama, (w) => w?.includes('3k') && /73\s?%/.test(w), 'llama.cpp, measured');
      const studio = await at('lm-studio');
      await studio.evaluate(async () => {
        fake.say('user', 'And now?');
        fake.say('assistant', 'It is the new answer.');
        await fake.ask();
      });
      await until(studio, (w) => w?.includes('3.3k') && w.includes('16.4k'), 'LM Studio, at another address');
    } finally {
      await point([]);
    }
  });
}
