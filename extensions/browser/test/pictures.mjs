// Copyright The ctx-lsp authors. MIT licence.

// Takes the pictures that the README shows, and no others: the shipped extension in real Chromium, on pages in the
// shape of the sites, with conversations that were written for it. `node test/pictures.mjs FOLDER NAME…` takes some;
// `--store` takes the five of 1280 x 800 that the stores show.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeTree } from './answers.mjs';
import { launch, place, until, worker } from './chromium.mjs';
import { serve } from './site.mjs';
import { english, hebrew } from './talks.mjs';

const store = process.argv.includes('--store');
const args = process.argv.slice(2).filter((a) => a !== '--store');
const [folder = join(import.meta.dirname, store ? '../store' : '../media'), ...some] = args;
const only = store && some.length === 0 ? ['details', 'sending', 'dark', 'rtl', 'options'] : some;
const usual = store ? { width: 1280, height: 800 } : { width: 1000, height: 640 };
mkdirSync(folder, { recursive: true });
const built = join(import.meta.dirname, '../dist/chromium');
const middle = (p) => [(p.left + p.right) / 2, (p.top + p.bottom) / 2];
const hours = 3600;

/** The same extension in a browser of another language: Debian's Chromium speaks one alone. */
function inGerman() {
  const out = mkdtempSync(join(tmpdir(), 'ctx-german-'));
  cpSync(built, out, { recursive: true });
  rmSync(join(out, '_locales/en'), { recursive: true });
  const manifest = join(out, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest)), default_locale: 'de' }));
  return out;
}

/** A browser with the extension, in which `open` shows a page. */
async function browser(site, extension, settings) {
  const context = await launch(extension, site);
  const service = await worker(context);
  await service.evaluate((settings) => chrome.storage.local.set({ settings }), settings);
  const own = /^[^/]+\/\/[^/]+/.exec(service.url())[0];
  const open = async (address, { width = usual.width, height = usual.height, dark = false } = {}) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(address.startsWith('/') ? own + address : address);
    return page;
  };
  const set = (settings) => service.evaluate((settings) => chrome.storage.local.set({ settings }), settings);
  return { context, open, set };
}

/** A page of Claude with a conversation that the page loads itself, and an answer that contains the limits. */
async function talking(open, { dir, title, talk, more }, size) {
  const id = `2026n${talk.length}`;
  const page = await open(`https://claude.ai/chat/${id}`, size);
  await page.route('**/chat_conversations/*?*', (r) => r.fulfill({ json: claudeTree(id, talk, more) }));
  const now = Math.floor(Date.now() / 1000);
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: talk.at(-1)[1] } },
    {
      type: 'message_limit',
      message_limit: {
        windows: {
          '5h': { utilization: 0.62, resets_at: now + 2.4 * hours },
          '7d': { utilization: 0.21, resets_at: now + 75 * hours },
        },
      },
    },
  ];
  const body = events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('');
  await page.route('**/completion', (r) => r.fulfill({ contentType: 'text/event-stream', body }));
  await page.evaluate(
    async ({ written, dir, title }) => {
      Object.assign(document.documentElement, { dir, lang: dir === 'rtl' ? 'he' : 'en' });
      document.title = title;
      talk.splice(0, talk.length, ...written);
      fake.mount(talk.length - 4, talk.length);
      await fake.load();
      await new Promise((r) => setTimeout(r, 1200));
      await fetch(`/api/organizations/o/chat_conversations/${location.pathname.split('/').pop()}/completion`, {
        method: 'POST',
      }).then((r) => r.text());
    },
    { written: talk, dir, title },
  );
  return page;
}

const counted = (words) => /\d/.test(words ?? '');

async function take(name, page, body) {
  if (only.length > 0 && !only.includes(name)) return;
  await page.waitForTimeout(600);
  await body?.();
  await page.waitForTimeout(400);
  // Pages of the extension are shown whole.
  if (/popup|options/.test(name) && !store) {
    const height = await page.evaluate(() => document.documentElement.getBoundingClientRect().height);
    await page.setViewportSize({ width: page.viewportSize().width, height: Math.ceil(height) });
  }
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png`);
}

const site = await serve();
const plans = { claude: 'pro', chatgpt: 'plus' };
const shown = await browser(site, built, { plans });
try {
  const { open, set } = shown;
  const page = await talking(open, english);
  await until(page, counted, 'badge');
  await page.waitForTimeout(600);
  await take('badge', page);
  const click = async (page) => page.mouse.click(...middle(await place(page)));
  await take('details', page, () => click(page));
  await take('sending', page, async () => {
    await page.keyboard.press('Escape');
    await page.click('.field');
    await page.keyboard.insertText('Write all of it down again, as one text. '.repeat(6500));
  });
  await page.fill('.field', '');
  const dark = await talking(open, english, { dark: true });
  await until(dark, counted, 'dark');
  await take('dark', dark, () => click(dark));
  const rtl = await talking(open, hebrew);
  await until(rtl, counted, 'right to left');
  await take('rtl', rtl, () => click(rtl));
  await dark.close();
  const other = await open('https://chatgpt.com/c/2026n40');
  await other.evaluate(() => (document.title = 'Trip to Lisbon in May, with children'));
  await until(other, counted, 'a part');
  const popup = await open('/popup/popup.html', { width: 400, height: 200 });
  await take('popup', popup);
  const options = await open('/options/options.html', store ? usual : { width: 720, height: 400 });
  await take('options', options);
  const optionsNarrow = await open('/options/options.html', { width: 360, height: 400, dark: true });
  await take('options-narrow', optionsNarrow, () => optionsNarrow.click('#advanced > summary'));
  await set({ plans: {} });
  const narrow = await talking(open, english, { width: 360, height: 740 });
  await until(narrow, counted, 'narrow');
  await take('narrow', narrow, () => click(narrow));
} finally {
  await shown.context.close();
}
const extension = inGerman();
const german = await browser(site, extension, { plans });
try {
  const { open } = german;
  const page = await talking(open, english, { dark: true });
  await until(page, counted, 'German');
  const popup = await open('/popup/popup.html', { width: 400, height: 200, dark: true });
  await take('popup-dark', popup);
  const options = await open('/options/options.html', { width: 720, height: 400, dark: true });
  await take('options-dark', options, () => options.click('#advanced > summary'));
} finally {
  await german.context.close();
  rmSync(extension, { recursive: true });
  site.close();
}
