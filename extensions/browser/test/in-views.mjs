// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { badge, eventually, inBadge, place, pressed, resting, until } from './chromium.mjs';
import { holds, long, same } from './expect.mjs';

const there = (words) => / of .* tokens/.test(words ?? '');
const middle = (p) => [(p.left + p.right) / 2, (p.top + p.bottom) / 2];

/** Adds panels with controls to a page, and buttons that float. */
function besides() {
  const style = document.createElement('style');
  style.textContent = `
    .panel { position: fixed; inset: 0 auto 0 -300px; width: 260px; transition: transform 0.12s; background: #ddd }
    .panel button { display: block; width: 100%; height: 40px }
    .fab { position: fixed; width: 44px; height: 44px; left: var(--x); top: var(--y) }
    .open .panel { transform: translateX(300px) } .open form { left: 270px }
    .high form { bottom: 45% } .tall .field { min-height: 120px } .small form { width: 300px }`;
  const panel = document.createElement('div');
  panel.className = 'panel';
  panel.append(
    ...Array.from({ length: 40 }, () => Object.assign(document.createElement('button'), { textContent: 'x' })),
  );
  const fabs = Array.from({ length: 4 }, () => Object.assign(document.createElement('button'), { className: 'fab' }));
  document.body.append(style, panel, ...fabs);
}

/** Changes classes and styles, and returns for how long a control was below the badge after that. */
function arranged(seed) {
  let state = seed >>> 0;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % n;
  };
  for (const name of ['open', 'high', 'tall', 'small']) document.body.classList.toggle(name, random(2) > 0);
  document.documentElement.dir = random(3) ? 'ltr' : 'rtl';
  for (const fab of document.querySelectorAll('.fab')) {
    fab.style.setProperty('--x', `${random(innerWidth)}px`);
    fab.style.setProperty('--y', `${random(innerHeight)}px`);
  }
  const own = document.querySelector('ctx-lsp-badge');
  // A control is covered if the badge is what a pointer finds in its middle or near its corners.
  const covered = () =>
    [...document.querySelectorAll('button, .field')].filter((e) => {
      const { left, top, width, height } = e.getBoundingClientRect();
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height]));
      return width > 0 && points.some(([x, y]) => document.elementFromPoint(x, y) === own);
    });
  const began = performance.now();
  return new Promise((done) => {
    let until = 0;
    const look = () => {
      const now = performance.now() - began;
      const below = covered();
      const is = below.length > 0;
      if (is) until = now;
      if (now < 340 || (is && now < 5000)) requestAnimationFrame(look);
      else
        done({
          covered: until,
          shown: own.isConnected,
          below: below.map((e) => `${e.className} ${JSON.stringify(e.getBoundingClientRect())}`),
        });
    };
    requestAnimationFrame(look);
  });
}

/** Tests the visible parts in real Chromium on pages of 2026. `own` is the extension's own origin. */
export async function inViews(browse, { own, shots, setPlans }) {
  // The tests before may have moved the badge.
  await setPlans({});
  await browse(
    'it is in the row of the field, covers no control of it, and stays there while one types',
    async (open) => {
      for (const [address, dir] of [
        ['https://chatgpt.com/c/2026n8', 'ltr'],
        ['https://claude.ai/chat/2026n8', 'ltr'],
        ['https://gemini.google.com/app/2026n8', 'rtl'],
      ]) {
        const page = await open(address);
        await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), dir);
        await until(page, there, address);
        const at = await resting(page);
        const boxes = await page.evaluate(() =>
          [...document.querySelectorAll('form, fieldset, .controls button, .field')].map((e) => {
            const { left, top, right, bottom } = e.getBoundingClientRect();
            return { left, top, right, bottom };
          }),
        );
        const [row, ...controls] = boxes;
        holds(
          at.top > row.top && at.bottom < row.bottom && at.left > row.left && at.right < row.right,
          `${address}: not in the row`,
        );
        const meets = (b) => at.left < b.right && b.left < at.right && at.top < b.bottom && b.top < at.bottom;
        same(controls.filter(meets), [], `${address}: covered`);
        await page.click('.field');
        await page.keyboard.insertText(long.repeat(4));
        same((await resting(page)).bottom, at.bottom, 'moved by typing');
      }
    },
  );

  await browse(
    'a layout that changes without its nodes: no control is covered for longer than 300 ms',
    async (open) => {
      const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
      const layouts = Number(process.env.LAYOUTS ?? 8);
      const page = await open('https://chatgpt.com/c/2026n8');
      await page.evaluate(besides);
      await until(page, there, 'before');
      let worst = 0;
      let moved = 0;
      for (let i = 0; i < layouts; i++) {
        const [width, height] = [
          [1280, 800],
          [2560, 1600],
          [427, 640],
          [320, 480],
          [1000, 700],
          [640, 400],
        ][(seed + i) % 6];
        await page.setViewportSize({ width, height });
        const { covered, shown, below } = await page.evaluate(arranged, seed + i);
        worst = Math.max(worst, covered);
        moved += shown;
        // Where other programs keep the processors busy, everybody waits for their turn.
        const busy = Math.max(1, loadavg()[0] / cpus().length);
        const what = `layout ${seed + i}, ${width} x ${height}; load ${busy.toFixed(1)}`;
        holds(
          covered <= 300 * busy,
          `${Math.round(covered)} ms, ${what}: ${JSON.stringify([await place(page), below])}`,
        );
      }
      console.log(`      ${layouts} layouts, at most ${Math.round(worst)} ms; seed ${seed}`);
      same(moved, layouts, 'layouts with a badge');
    },
  );

  await browse('it stays in the window where the page makes its outermost element a frame of its own', async (open) => {
    for (const style of ['contain: paint', 'transform: translateZ(0)']) {
      const page = await open('https://chatgpt.com/c/contained');
      await page.evaluate(
        ([style, text]) => {
          document.documentElement.style.cssText = style;
          for (let i = 0; i < 20; i++) fake.add(i % 2 ? 'assistant' : 'user', text);
          scrollTo(0, 900);
        },
        [style, long.repeat(12)],
      );
      await until(page, there, style);
      const [x, y] = middle(await resting(page));
      same(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.localName, [x, y]), 'ctx-lsp-badge', style);
    }
  });

  await browse(
    'a draft that would pass the threshold or the window, is reported above the button, once each',
    async (open) => {
      await setPlans({ chatgpt: 'plus' });
      try {
        const page = await open('https://chatgpt.com/c/2026n8');
        await until(page, there, 'before');
        const bubble = async () => (await inBadge(page, '.sending:not([hidden]) span'))[0] ?? null;
        const type = async (times) => {
          const before = await badge(page);
          await page.evaluate((text) => {
            document.querySelector('.field').textContent = text;
            document.querySelector('.field').dispatchEvent(new InputEvent('input', { bubbles: true }));
          }, long.repeat(times));
          await until(page, (w) => w !== before, `with ${times} sentences`);
        };
        await type(100);
        same(await bubble(), null, 'a short draft');
        await type(2950);
        holds(/would be 9\d% full. Your alert threshold is 90%/.test(await bubble()), `line: ${await bubble()}`);
        await page.screenshot({ path: join(shots, 'sending.png') });
        await type(3600);
        holds(/does not fit: .* of 32k tokens/.test(await bubble()), `window: ${await bubble()}`);
        await type(100);
        same(await bubble(), null, 'shortened');
        await type(2950);
        same(await bubble(), null, 'said twice');
      } finally {
        await setPlans({});
      }
    },
  );

  await browse('details: the largest messages link to theirs, and the copy matches', async (open) => {
    const page = await open('https://claude.ai/chat/2026n40?load');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: 'https://claude.ai' });
    await until(page, there, 'before');
    await page.mouse.click(...middle(await resting(page)));
    const press = (words) => pressed(page, words);
    const copiedBy = async (words) => {
      await page.evaluate(() => navigator.clipboard.writeText('nothing'));
      await press(words);
      return eventually(
        () => page.evaluate(() => navigator.clipboard.readText()),
        (text) => text !== 'nothing',
        words,
      );
    };
    const handover = await copiedBy('Copy a handover note');
    holds(
      handover.includes('Message 0 speaks') && handover.includes('Message 39 speaks'),
      `hand-over: ${handover.slice(0, 200)}`,
    );
    await page.mouse.click(...middle(await place(page)));
    await page.mouse.click(...middle(await place(page)));
    const report = await copiedBy('Copy a report');
    holds(/turn \[data-rs-index\]: 6/.test(report) && /responses:/.test(report), report);
    holds(!/speaks|2026n40|Today|said \d+ times/.test(report), `text in the report: ${report}`);
    await page.evaluate(() => {
      fake.mount(0, 14);
      for (const p of thread.children) p.style.minHeight = '600px';
      scrollTo(0, 0);
    });
    await page.mouse.click(...middle(await resting(page)));
    await page.mouse.click(...middle(await place(page)));
    await press('Largest messages');
    await press('Answer: Message 11');
    await page.waitForFunction(() => {
      const { top, bottom } = thread.children[11].getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    });
    await page.evaluate(() => fake.mount(30, 40));
    await page.keyboard.press('Enter');
    await eventually(
      () => inBadge(page, '.status'),
      ([words]) => words.includes('not in the page'),
      'not said to be missing',
    );
  });

  await browse('axe finds nothing in the popup, the options and the details, light and dark', async (open) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const [name, colorScheme] of [
      ['popup/popup', 'light'],
      ['popup/popup', 'dark'],
      ['options/options', 'light'],
      ['options/options', 'dark'],
      ['details/details', 'light'],
      ['details/details', 'dark'],
    ]) {
      const page = await open(`${own}/${name}.html`);
      await page.emulateMedia({ colorScheme });
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => {
        for (const d of document.querySelectorAll('details')) d.open = true;
      });
      // The pages' policy forbids texts as scripts, so the debugger runs it.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run());
      same(
        violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`),
        [],
        `${name}, ${colorScheme}`,
      );
    }
  });
}
