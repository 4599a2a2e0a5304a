// Copyright The ctx-lsp authors. MIT licence.

import { alone, counted } from './alone.mjs';
import { until } from './chromium.mjs';
import { long, same } from './expect.mjs';

/**
 * An update in a Chromium of its own, where the permission to run scripts was given: tabs that are open go on without a
 * reload. The browser loads the extension anew, and tells it what it tells after an update.
 */
export async function inUpdated({ test, site, dist }) {
  const { id, open, own, close } = await alone(dist('test-chromium'), site);
  try {
    const say = (page, text) =>
      page.evaluate((text) => {
        fake.add('user', 'Say it. ');
        fake.add('assistant', text);
      }, text);
    const extensions = await open('chrome://extensions/');
    const developer = (method, ...values) =>
      extensions.evaluate(([method, values]) => chrome.developerPrivate[method](...values), [method, values]);
    const enable = (on) => extensions.evaluate(([id, on]) => chrome.management.setEnabled(id, on), [id, on]);
    /** How often an answer of the page's server is passed on. */
    const passedOn = async (page) => {
      await page.evaluate(() => {
        globalThis.received = [];
        addEventListener(
          'message',
          (e) => e.data?.ctxLspResponse && received.push(e.data.ctxLspResponse.body.slice(0, 20)),
        );
      });
      await page.evaluate(() => fake.ask());
      await page.waitForTimeout(400);
      return page.evaluate(() => received.length);
    };

    await test('Chromium: with the permission for scripts, tabs go on after an update, each with one badge', async () => {
      await developer('updateProfileConfiguration', { inDeveloperMode: true });
      const options = await own('options');
      await options.click('#advanced > summary');
      await options.fill(
        'textarea[name=pointed]',
        'https://chat.example.org | .asked | .answered | textarea | gpt-5.5',
      );
      await options.click('button[data-say=save]');
      await options.waitForFunction(() => document.getElementById('status').textContent === 'Saved.');
      const before = await open('https://claude.ai/chat/before');
      await say(before, long);
      await until(before, counted, 'before');
      const pointed = await open('https://chat.example.org/c/before');
      await say(pointed, long);
      await until(pointed, counted, 'a page that was pointed at');
      await enable(false);
      const without = await open('https://claude.ai/chat/without');
      await say(without, long);
      await enable(true);
      for (let n = 0; n < 2; n++) {
        await developer('reload', id, { failQuietly: true });
        await (await own('popup')).close();
        for (const page of [before, without, pointed]) {
          await say(page, long.repeat(400 * (n + 1)));
          const large = (words) => counted(words) && / \d+(?:\.\d)?k /.test(words);
          await until(page, large, `${page.url()}, update ${n + 1}`, 30_000);
          same(await page.evaluate(() => document.querySelectorAll('ctx-lsp-badge').length), 1, 'badges');
        }
      }
      await before.evaluate(() => fake.add('user', 'And what is the answer?'));
      // The wrappers of earlier versions stay in the page, and must not pass on responses of the new one.
      same(await passedOn(before), 1, 'how often an answer was passed on');
      await before.evaluate(() => fake.model('Haiku 4.5'));
      await until(before, (w) => w?.includes('of 200k'), 'another model');
      await before.evaluate(() => fake.ask('overflow'));
      await until(before, (w) => w?.includes('of 190k'), 'responses after the updates');
      const marks = await (await own('popup')).evaluate(() =>
        chrome.tabs.query({}).then((all) => Promise.all(all.map((t) => chrome.action.getBadgeText({ tabId: t.id })))),
      );
      same(marks.filter((m) => m === '↻').length, 0, 'tabs that are said to need a reload');
      const another = await open('https://chat.example.org/c/after');
      await say(another, long);
      await until(another, counted, 'another tab of the page that was pointed at');
      await enable(false);
      await say(before, long);
      for (const page of [before, without])
        await until(page, (w) => w?.includes('Reload this tab'), 'the badge of an extension that is gone');
    });
  } finally {
    await close();
  }
}
