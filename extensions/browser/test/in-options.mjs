// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badge, inBadge, until } from './chromium.mjs';
import { assistant, holds, long, native, same, says, user } from './expect.mjs';

const items = Array.from({ length: 6 }, (_, i) =>
  (i % 2 ? assistant : user)(`Entry ${i} ${long.repeat(40 + i)}`.trim()),
);

/** The possible parts of an entry after its address. */
const orOne = 'After the address there are selectors, or one of librechat, llama.cpp, lm-studio, open-webui.';

/** A page of a make that nobody knows: rows, of which a class alone says whose they are. It counts what is pressed. */
function unknown(items) {
  globalThis.pressed = 0;
  addEventListener('click', () => pressed++);
  thread.innerHTML = items
    .map(({ kind, text }, i) => {
      const body = `<div class="box-${i % 3}"><p>${text}</p></div><button>Copy</button>`;
      return `<li class="row"><section class="${kind === 'user' ? 'bubble from-me' : 'bubble from-it'}">${body}</section></li>`;
    })
    .join('');
}

/** Pages that the person points at with clicks, and what the options page says of every entry, in real Chromium. */
export async function inOptions(browse, { own, context, shots }) {
  await browse('after the installation one page asks for the plans, and for nothing else', async (open) => {
    same(context.pages().filter((p) => p.url() === `${own}/options/options.html#first`).length, 1, 'opened');
    const page = await open(`${own}/options/options.html#first`);
    await page.waitForFunction(() => document.querySelector('select[name=plan-chatgpt]')?.value === 'model');
    const shown = () =>
      page.$$eval('select, input, textarea, summary, button', (all) =>
        all.filter((e) => e.checkVisibility()).map((e) => e.name || e.id || e.dataset.say),
      );
    same(await shown(), [
      'on-chatgpt',
      'plan-chatgpt',
      'on-claude',
      'plan-claude',
      'on-gemini',
      'plan-gemini',
      'save',
      'all',
    ]);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      holds(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
      await page.screenshot({ path: join(shots, `first-${width}.png`) });
    }
    await page.selectOption('select[name=plan-gemini]', 'ultra');
    await page.click('button[data-say=save]');
    await page.waitForFunction(() => document.getElementById('status').textContent === 'Saved.');
    // Another page of the extension that was open all the time has the choice, and undoes nothing.
    const options = await open(`${own}/options/options.html`);
    const chosen = (p) => p.$eval('select[name=plan-gemini]', (e) => e.value);
    await options.waitForFunction(() => document.querySelector('select[name=plan-gemini]').value === 'ultra');
    await options.selectOption('select[name=threshold]', '70');
    await page.selectOption('select[name=plan-gemini]', 'model');
    await page.click('button[data-say=save]');
    await options.waitForFunction(() => document.querySelector('select[name=plan-gemini]').value === 'model');
    same(await options.$eval('select[name=threshold]', (e) => e.value), '70', 'an edit that is not saved stays');
    await options.click('button[data-say=save]');
    await page.waitForFunction(() => document.querySelector('select[name=threshold]').value === '70');
    same(await chosen(options), 'model', 'the plan after both were saved');
    await options.selectOption('select[name=threshold]', '90');
    await options.click('button[data-say=save]');
    await page.waitForFunction(() => document.querySelector('select[name=threshold]').value === '90');
    await page.click('#all');
    holds((await shown()).includes('threshold'), 'all options');
  });
  await browse(
    'two clicks on an unknown page are enough to read it, and the page notices none of them',
    async (open) => {
      const page = await open('https://chat.example.org/c/unknown');
      await page.evaluate(unknown, items);
      const options = await open(`${own}/options/options.html#advanced`);
      const point = async (address, words) => {
        await options.fill('#address', address);
        await options.click('#point');
        await options.waitForFunction((w) => document.getElementById('pointResult').textContent.includes(w), words);
      };
      const picked = (selector) => inBadge(page, selector, 'ctx-lsp-pick');
      const asks = async (words) => {
        for (let i = 0; i < 100; i++, await page.waitForTimeout(60))
          if ((await picked('p'))[0]?.includes(words)) return;
        throw new Error(`the picker says ${await picked('p')}, want ${words}`);
      };
      await point(' ', 'not the address of a page');
      await point('https://claude.ai/new', 'is already read');
      await point('chat.example.org', 'Continue in the tab');
      await asks('one of your own messages');
      // Escape leaves the page as it was.
      await page.bringToFront();
      await page.keyboard.press('Escape');
      same(await page.evaluate(() => document.querySelector('ctx-lsp-pick')), null, 'the picker after Escape');
      await point('chat.example.org', 'Continue in the tab');
      await asks('one of your own messages');
      await page.bringToFront();
      // The same message twice distinguishes nothing.
      await page.click('li:nth-child(1) p');
      await asks('Now click on an answer');
      await page.click('li:nth-child(1) p');
      await asks('cannot distinguish these two');
      await page.click('li:nth-child(1) p');
      await asks('Now click on an answer');
      await page.click('li:nth-child(4) p');
      await asks('3 of your messages (blue) and 3 answers (violet)');
      same((await picked('i.mine')).length + (await picked('i.answer')).length, 6, 'outlined');
      same(await picked('button:focus'), ['Yes, count them'], 'has the focus');
      same(await picked('.bar[role=dialog][aria-label] p[role=status]').then((all) => all.length), 1, 'is said aloud');
      await page.keyboard.press('Enter');
      await until(page, (w) => w?.includes(`${native({}, items).used} tokens`), 'pointed at');
      same(
        await page.evaluate(() => [pressed, document.querySelector('ctx-lsp-pick')]),
        [0, null],
        'noticed by the page',
      );
      const field = () => options.inputValue('textarea[name=pointed]');
      await options.waitForFunction(() =>
        document.getElementById('pointResult').textContent.startsWith('Saved: https://chat'),
      );
      same(await field(), 'https://chat.example.org | .from-me | .from-it | textarea | ', 'what was found');

      // Each entry shows its effect or its error.
      const save = async (pointed) => {
        await options.fill('textarea[name=pointed]', pointed);
        await options.click('button[data-say=save]');
        await options.waitForFunction(() => document.getElementById('status').textContent !== '');
        return options.textContent('#status');
      };
      same(
        await save('https://chat.example.org | .from-me | <<'),
        `This page cannot be understood: https://chat.example.org | .from-me | <<. ${orOne}`,
      );
      same(
        await save('http://chat.example.org | open-webui'),
        `This page cannot be understood: http://chat.example.org | open-webui. ${orOne}`,
      );
      // A bare word is a misspelt preset, if it is no element.
      same(
        await save('https://chat.example.org | openwebui'),
        `This page cannot be understood: https://chat.example.org | openwebui. ${orOne}`,
      );
      same(await save('https://chat.example.org | .from-me | .from-it | textarea | gpt-5.5'), 'Saved.');
      same(await options.$$eval('#pointedResults li', (all) => all.map((l) => l.textContent)), [
        'https://chat.example.org/*: read by your selectors, counted for gpt-5.5',
      ]);
      await until(page, says(native({ model: 'gpt-5.5' }, items)), 'with its model');

      const [download] = await Promise.all([options.waitForEvent('download'), options.click('#export')]);
      const file = JSON.parse(await readFile(await download.path(), 'utf8'));
      same(
        file.pointed.map((p) => p.origin),
        ['https://chat.example.org'],
        'exported',
      );
      same(await save(''), 'Saved.');
      await until(page, (w) => w === null, 'pointed at no more');
      const imported = async (json) => {
        await options.evaluate(() => (document.getElementById('status').textContent = ''));
        const buffer = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
        await options.setInputFiles('#import', { name: 'settings.json', mimeType: 'application/json', buffer });
        await options.waitForFunction(() => document.getElementById('status').textContent !== '');
        return options.textContent('#status');
      };
      for (const none of ['{', '[]', '{"foo": 1}', 'null'])
        holds((await imported(none)).includes('none of the settings, pages or sites'), `imported ${none}`);
      const before = await options.inputValue('select[name=threshold]');
      const said = await imported({
        settings: { ...file.settings, threshold: 500, colour: 'red', windows: { claude: 'many' } },
        pointed: [...file.pointed, null, { origin: 'ftp://files' }, { origin: 'https://other.example' }],
      });
      same(
        said.split('\n').slice(1),
        [
          'settings.colour: unknown setting',
          'settings.windows: partly invalid; the invalid parts were ignored',
          'settings.threshold: partly invalid; the invalid parts were ignored',
          `This page cannot be understood: ?. ${orOne}`,
          `This page cannot be understood: ftp://files. ${orOne}`,
          `This page cannot be understood: https://other.example. ${orOne}`,
        ],
        'of each entry',
      );
      same(await options.inputValue('select[name=threshold]'), before, 'what cannot be used is as it was');
      holds((await field()).startsWith('https://chat.example.org | .from-me'), 'in the form');
      same(await badge(page), null, 'nothing applies before it is saved');
      await options.click('button[data-say=save]');
      await until(page, says(native({ model: 'gpt-5.5' }, items)), 'imported and saved');
      await save('');
      // Everything is there on a small window too, and can be reached by the keyboard alone.
      await options.setViewportSize({ width: 360, height: 640 });
      holds(await options.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than 360 pixels');
      const reached = new Set();
      await options.evaluate(() => document.activeElement.blur());
      for (let i = 0; i < 60; i++) {
        await options.keyboard.press('Tab');
        reached.add(
          await options.evaluate(() => {
            const e = document.activeElement;
            return e.name || e.id || e.dataset.say || e.parentElement?.id;
          }),
        );
      }
      for (const name of 'on-claude plan-claude threshold atSend limitsFrom format corner mode advanced address point pointed windows pack export import save'.split(
        ' ',
      ))
        holds(reached.has(name), `${name} is not reached by Tab: ${[...reached]}`);
    },
  );
}
