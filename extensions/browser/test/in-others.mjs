// Copyright The ctx-lsp authors. MIT licence.

import { talkOf } from './answers.mjs';
import { badge, inBadge, until } from './chromium.mjs';
import { holds, long, native } from './expect.mjs';
import { hosted, length, others, providers, reportedByDeepSeek } from './others.mjs';

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
    const few = async (site) => {
      const page = await open(`${others[site]}?few`);
      const model = { provider: providers[site] };
      await until(page, (w) => says(native(model, all.slice(34)).used)(w) && part(w), `${site}: six`);
      const known = whole(native(model, all).used);
      // Turns removed before they were read stay missing, so a slow machine scrolls again, more slowly.
      for (let pause = 120; pause < 2000 && !known((await badge(page)) ?? ''); pause *= 2)
        for (let i = 30; i >= 0; i -= 5) {
          await page.evaluate((i) => fake.mount(i, i + 8), i);
          await page.waitForTimeout(pause);
        }
      await until(page, known, `${site}: scrolled through`);
    };
    await Promise.all(['deepseek', 'aistudio'].map(few));
  });
  await browse('sites that count nothing: room for turns that are not there makes a least number', async (open) => {
    const spaced = async (site) => {
      const model = { provider: providers[site] };
      const used = (items) => native(model, items).used;
      // Turns that were let go before the extension came, and others after it did.
      const page = await open(`${others[site]}?spaced`);
      await until(page, (w) => says(used(all.slice(30)))(w) && part(w), `${site}: ten at the end`);
      await page.waitForTimeout(1500);
      await until(page, (w) => says(used(all.slice(30)))(w) && part(w), `${site}: and that stays`);
      for (let i = 24; i >= 0; i -= 6) {
        await page.evaluate((i) => fake.scrolled(i), i);
        await page.waitForTimeout(250);
      }
      await until(page, whole(used(all)), `${site}: scrolled through once`);
      await page.evaluate(() => fake.scrolled(15));
      await page.waitForTimeout(400);
      await until(page, whole(used(all)), `${site}: what was seen is kept`);
      if (site !== 'grok' && site !== 'kimi') return;
      // A jump leaves a gap between the turns seen before and now.
      const jumps = await open(`${others[site]}?spaced`);
      await until(jumps, part, `${site}: before the jump`);
      // What comes in the first moments may be the conversation itself, in the place of the one before.
      await jumps.waitForTimeout(3000);
      await jumps.evaluate(() => fake.scrolled(0));
      await until(jumps, (w) => says(used(all.slice(0, 10)))(w) && part(w), `${site}: the end is missing`);
      await jumps.waitForTimeout(1500);
      await until(jumps, part, `${site}: and that stays, though the first turn is in view`);
    };
    await Promise.all(['grok', 'kimi', 'qwen', 'mistral'].map(spaced));
  });
  await browse(
    'sites that count nothing: earlier turns may come until the first one has rested in view',
    async (open) => {
      for (const site of ['grok', 'kimi']) {
        const model = { provider: providers[site] };
        const page = await open(`${others[site]}?lazy`);
        await until(page, (w) => says(native(model, all.slice(28)).used)(w) && part(w), `${site}: twelve`);
        await page.waitForTimeout(1500);
        await until(page, part, `${site}: nothing says that these are all`);
        for (let i = 0; i < 4; i++) {
          await page.evaluate(() => scrollTo(0, 0));
          await page.waitForTimeout(300);
        }
        await page.evaluate(() => scrollTo(0, 0));
        await until(page, whole(native(model, all).used), `${site}: scrolled up`);
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await page.waitForTimeout(400);
        await until(page, whole(native(model, all).used), `${site}: and back`);
      }
    },
  );
  await browse('branches, other answers and redrawn pages leave nothing behind', async (open) => {
    for (const site of ['grok', 'kimi', 'mistral']) {
      const model = { provider: providers[site] };
      const page = await open(others[site]);
      await until(page, whole(native(model, all).used), `${site}: all`);
      // An answer is taken back, and another is written.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.evaluate(() => fake.edit(talk.length - 1, []));
      await until(page, whole(native(model, all.slice(0, -1)).used), `${site}: taken back`);
      const other = { kind: 'assistant', text: `Something else. ${long.repeat(40)}` };
      await page.evaluate((text) => fake.say('assistant', text), other.text);
      await until(page, whole(native(model, [...all.slice(0, -1), other]).used), `${site}: written anew`);
      // A message in the middle is edited.
      const edited = [...all.slice(0, 8), { kind: 'user', text: 'Edited, and quite another question.' }, other];
      await page.evaluate(
        (t) => fake.edit(8, t),
        edited.slice(8).map(({ kind, text }) => [kind, text]),
      );
      await until(page, whole(native(model, edited).used), `${site}: another branch`);
      await page.evaluate(() => {
        thread.replaceChildren();
        setTimeout(() => fake.mount(0, talk.length), 700);
      });
      await page.waitForTimeout(1000);
      await until(page, whole(native(model, edited).used), `${site}: drawn anew`);
      if (site !== 'kimi') continue;
      await page.evaluate(() => thread.replaceChildren());
      await until(page, (w) => /cannot be read/.test(w ?? ''), `${site}: gone for good`);
    }
  });
  await browse(
    'DeepSeek reports the tokens itself: the largest count, as an estimate near what is visible',
    async (open) => {
      const page = await open(`${others.deepseek}?few&load`);
      await until(page, (w) => w?.includes(`${(reportedByDeepSeek / 1000).toFixed(1)}k `) && !part(w), 'its own count');
      const counted = native({ provider: providers.deepseek }, all).used;
      holds(!counted.startsWith((reportedByDeepSeek / 1000).toFixed(1)), `counted too: ${counted}`);
      holds((await inBadge(page, '.line > span:not(.aloud)'))[0].startsWith('~'), 'no estimate');
    },
  );
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
      // LibreChat: the page does not name its model, and what it loads does; a model with a name counts otherwise.
      const chat = await at('librechat');
      const [named, unnamed] = ['local-model', undefined].map((model) => native({ model }, all).used);
      holds(named !== unnamed, `both are ${named}`);
      await until(chat, whole(named), 'LibreChat');
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
