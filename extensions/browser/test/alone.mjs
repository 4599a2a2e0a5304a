// Copyright The ctx-lsp authors. MIT licence.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, worker } from './chromium.mjs';

/** Whether a badge shows a number. */
export const counted = (words) => /tokens/.test(words ?? '');
export const wait = (ms) => new Promise((r) => setTimeout(r, ms));

/** Starts a separate Chromium with a build, for changes that cannot be undone in a shared one. */
export async function alone(build, site) {
  const profile = mkdtempSync(join(tmpdir(), 'ctx-alone-'));
  const context = await launch(build, site, profile);
  const id = new URL((await worker(context)).url()).hostname;
  const open = async (address) => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  /** A page of the extension, as soon as the browser has loaded that again. */
  const own = async (name) => {
    const page = await context.newPage();
    for (const end = Date.now() + 20_000; ; await wait(150)) {
      try {
        await page.goto(`chrome-extension://${id}/${name}/${name}.html`);
        return page;
      } catch (fault) {
        if (Date.now() > end) throw fault;
      }
    }
  };
  const close = async () => {
    await context.close().catch(() => {});
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, profile, id, open, own, close };
}
