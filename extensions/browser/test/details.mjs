// Copyright The ctx-lsp authors. MIT licence.

import { siteOf } from '../src/adapter/adapter.ts';
// The badge on a page of the extension's own, in a root that can be looked into: with everything that its details may
// show. Test builds have it for the checks of accessibility and for pictures.
import { Badge } from '../src/content/badge.ts';
import { defaults } from '../src/settings.ts';
import { site as claude } from '../src/sites/claude.ts';
import { emptyCore } from '../src/worker/core.ts';
import { withLines } from '../src/worker/look.ts';

const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (init) {
  return attach.call(this, { ...init, mode: 'open' });
};

const say = (key, ...args) => chrome.i18n.getMessage(key, args) || key;
const text = (words, times) => ({ text: `${words} `.repeat(times) });
const pieces = [
  { kind: 'system', tokens: claude.unseen.sizes[0].least, hidden: true },
  { kind: 'user', ...text('Please read the report and tell me what changed since last year.', 20) },
  { kind: 'user', ...text('Revenue grew by nine percent, and costs by four.', 2600), file: 'annual-report-2025.pdf' },
  { kind: 'reasoning', ...text('The table on page nine says otherwise.', 900) },
  { kind: 'assistant', ...text('Three things changed: revenue, costs and the way both are counted.', 2400) },
  { kind: 'user', ...text('Now write a summary for people who have no time.', 300) },
];
const items = pieces.map(({ file, ...item }) => (file ? { ...item, what: 'file', subject: file, label: file } : item));
const asks = location.search.includes('asks');
const core = await emptyCore();
await core.call('ctx/session/open', {
  id: 'a',
  model: 'claude-opus-5',
  provider: 'anthropic',
  route: 'chat',
  rule: { percent: 90 },
  panel: true,
  limits: asks ? { withheld: true } : { window: 200_000 },
});
const reading = await core.call('ctx/session/update', { id: 'a', append: items });
const now = Date.now();
const nothing = () => {};
const badge = new Badge(
  {
    moved: nothing,
    off: nothing,
    options: nothing,
    plan: nothing,
    goTo: () => false,
    handover: () => '',
    report: () => '',
    pieceAt: (i) => pieces[i],
  },
  siteOf(claude),
);
badge.show(
  {
    reading: await withLines(core, reading, 'percent', say, true),
    coverage: { read: 12, of: 14, more: false, files: 0, pictures: 1, reports: 0, unreadable: 0, loaded: 'none' },
    site: claude,
    plan: { window: asks ? null : 200_000, plan: asks ? '' : 'Pro', lacks: asks ? 'plan' : '' },
    unseen: claude.unseen.sizes[0],
    aside: {
      limits: [
        { window: '5h', used: 62, resets: now + 2.4 * 3_600_000 },
        { window: '7d', used: 21, resets: now + 75 * 3_600_000 },
      ],
      answered: now,
    },
    limitsFrom: 0,
  },
  defaults,
);
badge.avoid(null);
const { shadowRoot } = document.querySelector('ctx-lsp-badge');
shadowRoot.querySelector('.line').click();
for (const fold of shadowRoot.querySelectorAll('details')) fold.open = true;
