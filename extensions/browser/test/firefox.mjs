// Copyright The ctx-lsp authors. MIT licence.

import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { talkOf } from './answers.mjs';
import { ask, assistant, gemini, gpt, holds, long, native, opus, same, user } from './expect.mjs';
import { viewsInFirefox } from './firefox-views.mjs';

/** The extension's own address in Firefox, which draws it at random if none is set. */
const uuid = '2f1c6a4e-5d3b-4c8e-9a70-1b6d8e0f4c21';
const items = (talk) => talk.map(([kind, text]) => ({ kind, text }));

/** The same in Firefox, whose proxy leads the sites' names to the test's server and refuses every other. */
export async function inFirefox({ test, site, dist, shots }) {
  const strange = [];
  const proxy = createServer((_, res) => res.writeHead(403).end());
  proxy.on('connect', (req, socket) => {
    const host = req.url.replace(/:443$/, '');
    if (!['chatgpt.com', 'claude.ai', 'gemini.google.com'].includes(host)) {
      strange.push(host);
      return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    }
    const up = connect(site.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      up.pipe(socket).pipe(up);
    });
    up.on('error', () => socket.destroy());
    socket.on('error', () => up.destroy());
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    acceptInsecureCerts: true,
    // The extension's own pages are opened too.
    args: ['-remote-allow-system-access'],
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': port,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': port,
      'network.proxy.allow_hijacking_localhost': false,
      'extensions.webextensions.restrictedDomains': '',
      'extensions.originControls.grantByDefault': true,
      'extensions.webextensions.uuids': JSON.stringify({ 'ctx-lsp@ctx-lsp': uuid }),
      'browser.safebrowsing.downloads.remote.enabled': false,
      'app.update.enabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  });
  try {
    const open = async (address) => {
      const page = await browser.newPage();
      await page.goto(address);
      return page;
    };
    /** A page of the extension, whose loading the browser does not report. */
    const own = async (name) => {
      const page = await browser.newPage();
      const loaded = () => globalThis.chrome?.runtime?.id !== undefined && document.readyState === 'complete';
      for (let i = 0; i < 60 && !(await page.evaluate(loaded).catch(() => false)); i++) {
        if (i % 20 === 0) await page.goto(`moz-extension://${uuid}/${name}`, { timeout: 1500 }).catch(() => {});
        else await new Promise((r) => setTimeout(r, 150));
      }
      return page;
    };
    const install = () =>
      browser.connection.send('webExtension.install', {
        extensionData: { type: 'path', path: dist('test-firefox') },
        'moz:allowPrivateBrowsing': true,
      });
    const before = await open('https://chatgpt.com/c/before');
    await before.evaluate((text) => fake.add('user', text), long.repeat(300));
    await install();
    /**
     * Waits until the page's badge shows this; it is asked by way of the extension, which alone can look into its root.
     */
    const until = async (page, wanted, what) => {
      let shown;
      for (const end = Date.now() + 30000; Date.now() < end; await new Promise((r) => setTimeout(r, 100))) {
        shown = await ask(page, 'shown').catch(() => null);
        if (shown?.reading?.display.used === wanted.used && shown.reading.display.percent === wanted.percent) return;
      }
      throw new Error(`${what}: ${JSON.stringify(shown?.reading?.display ?? shown)}, want ${JSON.stringify(wanted)}`);
    };
    const fill = (page, items) =>
      page.evaluate((items) => {
        for (const i of items) fake.add(i.kind, i.text);
      }, items);

    await test('Firefox: the badge matches the native engine, on each site under its strict policy', async () => {
      for (const [address, model] of [
        ['https://chatgpt.com/c/one', gpt],
        ['https://claude.ai/chat/one', opus],
        ['https://gemini.google.com/app/one', gemini],
      ]) {
        const page = await open(address);
        try {
          const items = [user('Was heißt „Kontext“? 文脈 🎉'), assistant(long.repeat(300))];
          await fill(page, items);
          await until(page, native(model, items), address);
          holds(
            await page.evaluate(() => document.querySelector('ctx-lsp-badge')?.shadowRoot === null),
            'the badge is not there, or open to the page',
          );
          await page.screenshot({ path: join(shots, `firefox-${new URL(address).hostname}.png`) });
        } finally {
          await page.close();
        }
      }
    });

    await test('Firefox: it follows streaming, an edit and a change of model', async () => {
      const page = await open('https://claude.ai/chat/two');
      try {
        await fill(page, [user('question'), assistant(long)]);
        await page.evaluate((t) => fake.grow(t), long.repeat(200));
        await until(page, native(opus, [user('question'), assistant(long.repeat(201))]), 'streamed');
        await page.evaluate((t) => {
          fake.edit(0, 'another question');
          fake.add('assistant', t);
        }, long.repeat(90));
        await until(page, native(opus, [user('another question'), assistant(long.repeat(90))]), 'edited');
        await page.evaluate(() => fake.model('Haiku 4.5'));
        await until(
          page,
          native({ ...opus, model: 'claude-haiku-4-5' }, [user('another question'), assistant(long.repeat(90))]),
          'other model',
        );
      } finally {
        await page.close();
      }
    });

    await test("Firefox: six of 200 messages are mounted and the number is the whole's, by what the page loads", async () => {
      for (const [address, model] of [
        ['https://claude.ai/chat/2026n200', opus],
        ['https://chatgpt.com/c/2026n200', gpt],
        ['https://gemini.google.com/app/2026n200', gemini],
      ]) {
        const page = await open(`${address}?load`);
        try {
          await until(page, native(model, items(talkOf(200))), address);
        } finally {
          await page.close();
        }
      }
    });

    await test('Firefox: the conformance vectors pass in the background script', async () => {
      const page = await open('https://chatgpt.com/c/vectors');
      try {
        await new Promise((r) => setTimeout(r, 500));
        const { passed, failures } = await ask(page, 'conformance');
        holds(failures.length === 0 && passed >= 60, `${passed} passed; ${failures.slice(0, 3).join('; ')}`);
        console.log(`      ${passed} vectors`);
      } finally {
        await page.close();
      }
    });

    await viewsInFirefox({ test, open, own, before, install });

    await test('Firefox: the extension asks for no other host', () => {
      // The browser itself looks for its maker's hosts; the extension's own requests would go to others.
      same(
        strange.filter((h) => !/(mozilla|firefox)\.(org|com|net|cloud)|mozaws|mozgcp|example/.test(h)),
        [],
        'hosts',
      );
    });
  } finally {
    await browser.close();
    proxy.close();
  }
}
