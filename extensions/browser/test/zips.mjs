// Copyright The ctx-lsp authors. MIT licence.

// The zip that is published, in the browser it is for: `node test/zips.mjs chromium|firefox ZIP VERSION`. The extension
// has to load, and to show its popup or, on a chat's page, its badge.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import puppeteer from 'puppeteer-core';
import { launch, worker } from './chromium.mjs';
import { serve } from './site.mjs';

const [browser, zip, version] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'ctx-zip-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (browser === 'chromium') {
  for (const [name, body] of Object.entries(unzipSync(readFileSync(zip)))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), body);
  }
  const context = await launch(folder, 1);
  const background = await worker(context);
  assert.equal(await background.evaluate(() => globalThis.chrome.runtime.getManifest().version), version);
  const page = await context.newPage();
  await page.goto(new URL('popup/popup.html', background.url()).href);
  await page.waitForFunction(() => globalThis.document.body.innerText.trim().length > 10, undefined, {
    timeout: 20_000,
  });
  console.log(await page.evaluate(() => globalThis.document.body.innerText.trim().split('\n')[0]));
  await context.close();
} else {
  // Firefox lets no driver look at an extension's pages, so it is a chat's page that has to show the badge.
  const site = await serve();
  const proxy = createServer((_, response) => response.writeHead(403).end());
  proxy.on('connect', (request, socket) => {
    if (request.url !== 'chatgpt.com:443') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const up = connect(site.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      up.pipe(socket).pipe(up);
    });
    up.on('error', () => socket.destroy());
    socket.on('error', () => up.destroy());
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    acceptInsecureCerts: true,
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': proxy.address().port,
      'extensions.originControls.grantByDefault': true,
    },
  });
  assert.equal(await firefox.installExtension(path.resolve(zip)), 'ctx-lsp@ctx-lsp');
  const page = await firefox.newPage();
  await page.goto('https://chatgpt.com/c/one');
  await page.waitForSelector('ctx-lsp-badge', { timeout: 20_000 });
  await firefox.close();
  process.exit(0);
}
