// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { holds, long, same } from './expect.mjs';

const middle = (p) => [(p.left + p.right) / 2, (p.top + p.bottom) / 2];
const wait = (ms) => new Promise((r) => setTimeout(r, ms));

/** Repeats a request until the response is accepted. */
async function until(ask, wanted, what, seconds = 20) {
  let last;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await wait(100)) {
    last = await ask().catch((fault) => String(fault));
    if (wanted(last)) return last;
  }
  throw new Error(`${what}: ${JSON.stringify(last)}`);
}

/** Returns the elements that a selector matches in the badge of a page; null without a badge. */
const look = (page, selector) =>
  page.evaluate(
    (selector) =>
      new Promise((done) => {
        const receive = (e) => {
          if (e.data?.reply !== 'look') return;
          window.removeEventListener('message', receive);
          done(e.data.answer);
        };
        window.addEventListener('message', receive);
        setTimeout(() => done(null), 1000);
        window.postMessage({ ask: 'look', selector });
      }),
    selector,
  );
const texts = async (page, selector) => (await look(page, selector))?.map((e) => e.text) ?? null;
const line = async (page) => (await look(page, '.line > span:not(.aloud)'))?.[0]?.text ?? null;
const placeOf = async (page) => (await look(page, '.line'))[0];

/** Where the badge is, once it has rested for longer than it takes to look for a place. */
async function resting(page) {
  let last = '';
  let since = 0;
  return until(
    () => placeOf(page),
    (at) => {
      const now = JSON.stringify(at);
      if (now !== last) [last, since] = [now, Date.now()];
      return Date.now() - since > 300;
    },
    'the badge does not rest',
  );
}

/**
 * What people see and touch, in Firefox. `open` shows a page, `own` one of the extension's, `before` is a tab that was
 * there when the extension was installed, and `install` installs it anew, as an update does.
 */
export async function viewsInFirefox({ test, open, own, before, install }) {
  await test('Firefox: a tab from before the installation is counted, and continues after an update, with one badge', async () => {
    const there = () => line(before);
    await until(there, (w) => /%/.test(w ?? ''), 'installed');
    await install();
    await until(there, (w) => /%/.test(w ?? ''), 'updated');
    same(await before.evaluate(() => document.querySelectorAll('ctx-lsp-badge').length), 1, 'badges');
    await before.evaluate((text) => fake.grow(text), long.repeat(4000));
    await until(there, (w) => / 5%|~5%/.test(w ?? ''), 'goes on');
  });

  const options = await own('options/options.html');
  const set = (settings) =>
    options.evaluate(
      (settings) =>
        chrome.storage.local.set({
          settings: { plans: { chatgpt: 'model', claude: 'model', gemini: 'model' }, ...settings },
        }),
      settings,
    );

  await test("Firefox: the badge is in the field's row, in the page's theme and direction, and its details stay open", async () => {
    for (const [address, dir, dark] of [
      ['https://chatgpt.com/c/2026n8', 'ltr', true],
      ['https://claude.ai/chat/2026n8', 'ltr', false],
      ['https://gemini.google.com/app/2026n8', 'rtl', false],
    ]) {
      const page = await open(address);
      try {
        await page.evaluate(
          ([dir, dark]) => {
            document.documentElement.dir = dir;
            if (dark) document.documentElement.className = 'dark';
          },
          [dir, dark],
        );
        await until(
          () => line(page),
          (w) => / of /.test(w ?? ''),
          address,
        );
        const at = await resting(page);
        const [row, ...controls] = await page.evaluate(() =>
          [...document.querySelectorAll('form, fieldset, .controls button, .field')].map((e) => {
            const { left, top, right, bottom } = e.getBoundingClientRect();
            return { left, top, right, bottom };
          }),
        );
        const inside = at.top > row.top && at.bottom < row.bottom && at.left > row.left && at.right < row.right;
        holds(inside, `${address}: not in the row, ${JSON.stringify([at, row])}`);
        const meets = (b) => at.left < b.right && b.left < at.right && at.top < b.bottom && b.top < at.bottom;
        same(controls.filter(meets), [], `${address}: covered`);
        same(at.direction, 'ltr', 'the badge speaks English');
        same(at.backgroundColor, dark ? 'rgb(22, 27, 34)' : 'rgb(255, 255, 255)', `${address}: theme`);
        await page.mouse.click(...middle(at));
        await until(
          () => look(page, '.badge.open .panel'),
          (found) => found?.[0] && found[0].bottom - found[0].top > 100,
          'the details are open',
        );
        const { left, top } = await placeOf(page);
        same([left, top], [at.left, at.top], 'moved by the click');
        await page.mouse.move(5, 5);
        same(await resting(page), await placeOf(page), 'moved with the mouse');
        const panel = (await look(page, '.badge.open .panel'))[0];
        const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
        holds(panel && panel.left >= 0 && panel.top >= 0 && panel.right <= width && panel.bottom <= height, 'cut off');
        const rows = (await texts(page, 'tbody td:first-child')).map((t) => t.trim());
        holds(rows.includes('Your messages') && rows.includes('Answers'), `rows: ${rows}`);
        holds(
          (await texts(page, 'tfoot td:first-child')).some((t) => t.startsWith('Left')),
          'what is left',
        );
        await page.keyboard.press('Escape');
        same(await look(page, '.badge.open'), [], 'closed by Escape');
      } finally {
        await page.close();
      }
    }
  });

  await test('Firefox: a draft that is too long is reported above the button, and hiding can be undone', async () => {
    await set({ plans: { chatgpt: 'plus' } });
    const page = await open('https://chatgpt.com/c/2026n8');
    try {
      await until(
        () => line(page),
        (w) => / of 32k/.test(w ?? ''),
        'before',
      );
      const type = (times) =>
        page.evaluate((text) => {
          document.querySelector('.field').textContent = text;
          document.querySelector('.field').dispatchEvent(new InputEvent('input', { bubbles: true }));
        }, long.repeat(times));
      const bubble = () => look(page, '.sending:not([hidden])');
      await type(3600);
      const [said] = await until(bubble, (found) => found?.length === 1, 'the warning');
      holds(/does not fit: .* of 32k tokens/.test(said.text), said.text);
      const send = await page.evaluate(
        () => document.querySelector('[data-testid=send-button]').getBoundingClientRect().top,
      );
      holds(said.bottom <= send && said.top >= 0, 'not above the button');
      await type(10);
      await until(bubble, (found) => found?.length === 0, 'taken back');
      const short = await line(page);
      await type(3600);
      await until(
        () => line(page),
        (w) => w !== short,
        'too long again',
      );
      same(await bubble(), [], 'said twice');
      await page.mouse.click(...middle(await placeOf(page)));
      const buttons = await until(
        () => look(page, '.badge.open .actions button'),
        (found) => found?.length === 4,
        'what can be done',
      );
      await page.mouse.click(...middle(buttons.find((b) => b.text === 'Hide on this site')));
      await until(
        () => line(page),
        (w) => w?.includes('Hidden on this site'),
        'hidden, with a way back',
      );
      await page.mouse.click(...middle((await look(page, '.undo'))[0]));
      await wait(6500);
      holds(/of 32k/.test(await line(page)), 'hidden although it was undone');
    } finally {
      await page.close();
      await set({});
    }
  });

  await test('Firefox: popup and options report their actions, fit into 360 pixels, and axe finds nothing', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const page = await open('https://claude.ai/chat/2026n8');
    const popup = await own('popup/popup.html');
    try {
      await until(
        () => line(page),
        (w) => / of /.test(w ?? ''),
        'a conversation',
      );
      await popup.evaluate(() => {
        globalThis.before = true; // gone with the page that is left
        location.reload();
      });
      const shown = () =>
        popup.evaluate(() => ({
          rows: globalThis.before ? [] : [...document.querySelectorAll('#list .row')].map((r) => r.innerText),
          legend: document.getElementById('legend')?.hidden,
        }));
      await until(
        shown,
        (now) => now?.legend === false && now.rows.some((r) => /Today\s+Claude\s+\S*\s?\d/.test(r)),
        'the list and its legend',
      );
      await options.evaluate(() => {
        document.getElementById('advanced').open = true;
        document.querySelector('textarea[name=windows]').value = 'Claude 0.1M';
        document.querySelector('button[data-say=save]').click();
      });
      await until(
        () => options.evaluate(() => document.getElementById('status').textContent),
        (s) => s === 'Saved.',
        'saved',
      );
      same(
        await options.evaluate(() => document.getElementById('windowsResults').textContent),
        'Claude: 100,000 tokens',
        'said',
      );
      await until(
        () => line(page),
        (w) => /of 100k/.test(w ?? ''),
        'the window counts',
      );
      await set({});
      for (const view of [popup, options]) {
        await view.setViewport({ width: 360, height: 640 });
        const over = await view.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        holds(over <= 0, `${await view.evaluate(() => location.pathname)}: ${over} pixels too wide`);
        await view.evaluate(axe);
        const { violations } = await view.evaluate(() => axe.run());
        same(
          violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`),
          [],
          'axe',
        );
      }
    } finally {
      await page.close();
      await popup.close();
    }
  });

  await test('Firefox: a private window is counted, listed in its own popup alone, and leaves nothing', async () => {
    const normal = await open('https://claude.ai/chat/2026n8');
    const popup = await own('popup/popup.html');
    const closePrivate = () =>
      popup.evaluate(async () => {
        for (const w of await chrome.windows.getAll()) if (w.incognito) await chrome.windows.remove(w.id);
      });
    try {
      await until(
        () => line(normal),
        (w) => / of /.test(w ?? ''),
        'a normal tab',
      );
      const shown = await popup.evaluate(async () => {
        const wait = (ms) => new Promise((r) => setTimeout(r, ms));
        const { id, incognito } = await chrome.windows.create({
          incognito: true,
          url: 'https://chatgpt.com/c/walrus7391',
        });
        globalThis.secret = id;
        const fill = () => {
          if (!('fake' in window)) return false;
          document.title = 'Walrus';
          fake.add('user', 'Nobody else shall know. '.repeat(300));
          return true;
        };
        for (let filled = false, i = 0; i < 100; i++, await wait(150)) {
          const [tab] = await chrome.tabs.query({ windowId: id });
          if (!filled) {
            const results = await chrome.scripting
              .executeScript({ target: { tabId: tab.id }, world: 'MAIN', func: fill })
              .catch(() => []);
            filled = results[0]?.result === true;
          }
          const shown = await chrome.tabs.sendMessage(tab.id, { type: 'show' }).catch(() => null);
          if (shown?.reading?.used > 1000) return [incognito, shown.title];
        }
        return null;
      });
      same(shown, [true, 'Walrus'], 'counted');
      await wait(1500);
      const stored = () =>
        popup.evaluate(async () =>
          JSON.stringify([await chrome.storage.session.get(null), await chrome.storage.local.get(null)]),
        );
      holds(/2026n8/.test(await stored()), 'the normal tab is kept in memory');
      same(/walrus/i.test(await stored()), false, 'kept while it is open');
      await popup.evaluate(() => {
        globalThis.before = true; // gone with the page that is left
        location.reload();
      });
      const titles = () =>
        popup.evaluate(() =>
          globalThis.before ? [] : [...document.querySelectorAll('#list .title')].map((t) => t.textContent),
        );
      const listed = await until(titles, (all) => all?.length > 0, 'the popup of a normal window');
      same(listed.includes('Walrus'), false, `listed in a normal window: ${listed}`);
      await closePrivate();
      await wait(1000);
      same(/walrus/i.test(await stored()), false, 'kept when it was closed');
    } finally {
      await closePrivate().catch(() => {}); // another try begins without it
      await normal.close();
      await popup.close();
    }
  });
  await options.close();
}
