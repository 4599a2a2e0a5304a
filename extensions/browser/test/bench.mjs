// Copyright The ctx-lsp authors. MIT licence.

// Prints what the extension costs a page: the time of its script for each token that is streamed into a conversation
// of 1,000 mounted messages, in real Chromium.
import { join } from 'node:path';
import { launch, until } from './chromium.mjs';
import { longestIn, spentIn } from './profile.mjs';
import { serve } from './site.mjs';

// Of several rounds the best one counts, because other programs interrupt the page.
const rounds = 8;
const tokens = 12;
const own = (n) => n.callFrame.url.startsWith('chrome-extension:');
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
    let best = null;
    for (let round = 0; round < rounds; round++) {
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
      const ms = spentIn(profile, own) / tokens;
      if (!best || ms < best.ms) best = { ms, profile };
    }
    console.log(`${new URL(address).hostname}: ${best.ms.toFixed(2)} ms a token, 1,000 messages`);
    if (process.argv.includes('--functions'))
      for (const [name, ms] of longestIn(best.profile, own).slice(0, 25))
        console.log(`  ${(ms / tokens).toFixed(3)} ${name}`);
    await page.close();
  }
} finally {
  await context.close();
  site.close();
}
