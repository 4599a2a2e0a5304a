// Copyright The ctx-lsp authors. MIT licence.

import { browsing, notes } from './chromium.mjs';
import { same } from './expect.mjs';
import { inOptions } from './in-options.mjs';
import { inOthers } from './in-others.mjs';
import { inToday } from './in-today.mjs';
import { inViews } from './in-views.mjs';

/** Pages as the sites are today, with what users see and touch on them, in a Chromium of their own. */
export async function inPages({ test, site, dist, shots }) {
  const { context, own, browse, setPlans, setSites, leaves } = await browsing({ test, site, dist });
  await inToday(browse, notes, { setPlans, setSites });
  await inViews(browse, { own, shots, setPlans });
  await inOptions(browse, { own, context, shots });
  await inOthers(browse, async (lines) => {
    const options = await context.newPage();
    await options.goto(`${own}/options/options.html`);
    await options.click('#advanced > summary');
    await options.fill('textarea[name=pointed]', lines.join('\n'));
    await options.click('button[data-say=save]');
    await options.waitForFunction(() => document.getElementById('status').textContent !== '');
    same(await options.textContent('#status'), 'Saved.', lines.join());
    await options.close();
  });
  await leaves("no request leaves but the pages' own, on the sites as they are today");
  await context.close();
}
