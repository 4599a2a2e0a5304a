// Copyright The ctx-lsp authors. MIT licence.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, counted, wait } from './alone.mjs';
import { badge, until } from './chromium.mjs';
import { holds, same } from './expect.mjs';

/**
 * The shipped build in a Chromium of its own: an update with tabs open, which do not allow it to run in them anew, and
 * private windows. To allow these is a change for which the browser loads an extension again, as an update is.
 */
export async function inPrivate({ test, site, dist }) {
  const { context, profile, id, open, own, close } = await alone(dist('chromium'), site);
  try {
    const say = (page, text) =>
      page.evaluate(
        ([text, title]) => {
          document.title = title;
          fake.add('user', text);
        },
        [text, text.slice(0, 20)],
      );
    const extensions = await open('chrome://extensions/');
    const set = (method, values) =>
      extensions.evaluate(([method, values]) => chrome.developerPrivate[method](values), [method, values]);
    await set('updateProfileConfiguration', { inDeveloperMode: true });
    const before = await open('https://claude.ai/chat/before');
    await say(before, 'Asked before the update. ');
    await until(before, counted, 'before');
    await extensions.evaluate((id) => chrome.management.setEnabled(id, false), id);
    const without = await open('https://chatgpt.com/c/without');
    await extensions.evaluate((id) => chrome.management.setEnabled(id, true), id);
    await set('updateExtensionConfiguration', { extensionId: id, incognitoAccess: true });
    const popup = await own('popup');

    await test('Chromium: after an update and in tabs from before, badge, button and popup ask for a reload', async () => {
      await until(before, (w) => w?.includes('Reload this tab'), 'the badge that is left over');
      await popup.waitForFunction(() => document.querySelectorAll('#reloads .waiting').length === 2);
      same(
        await popup.$$eval('#reloads .title', (all) => all.map((t) => t.textContent).sort()),
        ['Asked before the upd', 'Chat on chatgpt.com'],
        'the popup',
      );
      const marks = () =>
        popup.evaluate(async () => {
          const tabs = await chrome.tabs.query({ url: ['https://chatgpt.com/*', 'https://claude.ai/*'] });
          const mark = async ({ id: tabId }) =>
            (await chrome.action.getBadgeText({ tabId })) + (await chrome.action.getTitle({ tabId }));
          return Promise.all(tabs.map(mark));
        });
      let all = [];
      for (const end = Date.now() + 20_000; Date.now() < end; await wait(100)) {
        all = await marks();
        if (all.length === 2 && all.every((m) => m.startsWith('↻') && m.includes('reload'))) break;
      }
      same(all.filter((m) => m.startsWith('↻') && m.includes('reload')).length, 2, `the button: ${all}`);
      for (const left of [1, 0]) {
        await popup.click('#reloads button');
        await popup.waitForFunction((n) => document.querySelectorAll('#reloads .waiting').length === n, left);
      }
      same(await popup.isHidden('#waiting'), true, 'its heading');
      await before.waitForFunction(() => 'fake' in window && thread.childElementCount === 0);
      await say(before, 'Asked after the update. ');
      await until(before, counted, 'after the reload');
      await without.waitForFunction(() => 'fake' in window);
      await say(without, 'Asked for the first time. ');
      await until(without, counted, 'the tab from before');
      await popup.waitForTimeout(1000);
      same(
        await popup.evaluate(() =>
          chrome.tabs
            .query({})
            .then((all) =>
              Promise.all(all.map((t) => chrome.action.getBadgeText({ tabId: t.id }))).then((texts) =>
                texts.includes('↻'),
              ),
            ),
        ),
        false,
        'the button, reloaded',
      );
    });

    await test('Chromium: a private window is counted, listed in its own popup alone, and leaves nothing', async () => {
      const secret = 'Walrus7391 nobody else shall know. ';
      const opened = context.waitForEvent('page');
      const win = await popup.evaluate(async (url) => {
        const { id, incognito } = await chrome.windows.create({ incognito: true, url });
        return { id, incognito };
      }, 'https://chatgpt.com/c/walrus7391');
      same(win.incognito, true, 'the window');
      const page = await opened;
      await page.waitForFunction(() => 'fake' in window);
      await say(page, secret.repeat(200));
      await until(page, counted, 'in private');
      const titles = (p) => p.$$eval('#list .title', (all) => all.map((t) => t.textContent));
      const ours = await own('popup');
      await ours.waitForSelector('#list .row');
      same(
        (await titles(ours)).sort(),
        ['Asked after the upda', 'Asked for the first'],
        'the popup of a normal window',
      );
      // The private window's own popup, as a press on the button there opens it.
      const inside = await ours.evaluate(async (windowId) => {
        await chrome.action.openPopup({ windowId });
        for (let i = 0; i < 60; i++) {
          const [view] = chrome.extension.getViews({ type: 'popup' });
          const rows = [...(view?.document.querySelectorAll('#list .title') ?? [])];
          if (rows.length > 0) return rows.map((t) => t.textContent);
          await new Promise((r) => setTimeout(r, 100));
        }
        return null;
      }, win.id);
      same(inside, ['Walrus7391 nobody el'], "the private window's popup");
      // Longer than it takes until a conversation is kept.
      await wait(1500);
      const stored = () =>
        ours.evaluate(async () =>
          JSON.stringify([await chrome.storage.session.get(null), await chrome.storage.local.get(null)]),
        );
      holds(/before/.test(await stored()), 'the normal tab is kept in memory');
      same(/walrus/i.test(await stored()), false, 'kept while it is open');
      await page.evaluate(() => history.pushState(null, '', '/c/elsewhere'));
      await wait(800);
      await page.close();
      await wait(800);
      same(/walrus|elsewhere/i.test(await stored()), false, 'kept when it was closed');
      await ours.reload();
      await ours.waitForSelector('#list .row');
      same((await titles(ours)).length, 2, 'listed when it was closed');
      // Another tab of the same conversation begins from nothing.
      const again = await open('https://chatgpt.com/c/walrus7391');
      await wait(800);
      same(await badge(again), null, 'what a private tab had counted');
      await again.close();
      await ours.evaluate(() => chrome.storage.local.set({ control: 'Penguin4821' }));
      await wait(300);
    });
    await context.close();
    await test('Chromium: nothing of the private window is on the disk', () => {
      const found = (word) =>
        readdirSync(profile, { recursive: true, withFileTypes: true })
          .filter((e) => e.isFile())
          .map((e) => join(e.parentPath, e.name))
          .filter((path) => readFileSync(path).includes(word));
      holds(found('Penguin4821').length > 0, 'what is kept on purpose is not found');
      same(found('Walrus7391 nobody'), [], 'files with what was said in private');
    });
  } finally {
    await close();
  }
}
