// Copyright The ctx-lsp authors. MIT licence.

import * as net from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { must, patience } from './workbench';

/**
 * A page of the browser that the whole run shares. A workbench is tens of megabytes of program: a browser that has
 * compiled them once shows the next editor in a third of the time. Nothing else of an earlier editor is left.
 */
export async function openPage(origin: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.connectOverCDP(must('CTX_TEST_BROWSER'));
  const [context] = browser.contexts();
  if (context === undefined) {
    throw new Error('the browser has no context of its own');
  }
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(patience(60_000));
  await page.setViewportSize({ width: 1400, height: 900 });
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage',
  });
  await session.detach();
  return { browser, page };
}

/** Returns the port of the run by its name, so that the browser recognizes the program; any other if it is taken. */
export async function portOf(name: string): Promise<number> {
  return (await free(Number(must(name)))) ?? (await free(0)) ?? 0;
}

function free(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
