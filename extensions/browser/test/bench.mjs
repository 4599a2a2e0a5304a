// Copyright The ctx-lsp authors. MIT licence.

// Prints what the extension costs a page: the time of its script for each token that is streamed into a conversation
// of 1,000 mounted messages, in real Chromium.
import { join } from 'node:path';
import { launch, until } from './chromium.mjs';
import { longestIn, spentIn } from './profile.mjs';
import { serve } from './site.mjs';

const tokens = 60;
const site = await serve();
const context = await launch(join(import.meta.dirname, '../dist/test-chromium'), site);
try {
  for (const address of ['https://chatgpt.com/c/2026n1000', 'https://claude.ai/chat/2026n1000']) {
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate(() => fake.mount(0, 1000));
    await until(page, (w) => /tokens/.test(w ?? '') && !/at least/.test(w), address, 60_000);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.setSamplingInterval', { interval: 100 });
    await cdp.send('Profiler.start');
    // Each token comes after the page was read with the one before.
    await page.evaluate(async (tokens) => {
      const last = [...document.querySelectorAll('#thread p')].at(-1);
      for (let i = 0; i < tokens; i++) {
        last.append(` token ${i}`);
        await new Promise((done) => setTimeout(done, 300));
      }
    }, tokens);
    const { profile } = await cdp.send('Profiler.stop');
    const own = (n) => n.callFrame.url.startsWith('chrome-extension:');
    console.log(
      `${new URL(address).hostname}: ${(spentIn(profile, own) / tokens).toFixed(2)} ms a token, 1,000 messages`,
    );
    if (process.argv.includes('--functions'))
      for (const [name, ms] of longestIn(profile, own).slice(0, 25))
        console.log(`  ${(ms / tokens).toFixed(3)} ${name}`);
    await page.close();
  }
} finally {
  await context.close();
  site.close();
}
