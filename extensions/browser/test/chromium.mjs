// Copyright The ctx-lsp authors. MIT licence.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { bare, holds, same } from './expect.mjs';
import { others } from './others.mjs';
import { load } from './source.mjs';

/** The names that lead to the test's server. */
export const hosts = [
  'chatgpt.com',
  'claude.ai',
  'gemini.google.com',
  'chat.example.org',
  ...Object.values(others).map((address) => new URL(address).hostname),
];

/** Chromium with the extension, to which the sites' names lead to the test's server and every other name nowhere. */
export async function launch(extension, { port, plain }, profile = mkdtempSync(join(tmpdir(), 'ctx-chromium-'))) {
  const map = [...hosts.map((h) => `MAP ${h}:443 127.0.0.1:${port}`), `MAP 192.168.7.5 127.0.0.1:${plain}`].join(', ');
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    ignoreHTTPSErrors: true,
    viewport: { width: 1000, height: 700 },
    args: [
      ...(extension ? [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`] : []),
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--ignore-certificate-errors',
      `--host-resolver-rules=${map}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
}

/** The extension's worker. */
export async function worker(context) {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 30000 }));
}

/** Stops the worker as the browser does with an idle one. */
export async function stopWorker(context) {
  const control = await context.newPage();
  const cdp = await context.newCDPSession(control);
  const { targetInfos } = await cdp.send('Target.getTargets');
  const workers = targetInfos.filter((t) => t.type === 'service_worker');
  for (const t of workers) await cdp.send('Target.closeTarget', { targetId: t.targetId });
  await control.close();
  return workers.length;
}

/** The badge's button and its words, by the debugger: the page's own scripts cannot look into its closed root. */
async function button(session) {
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'ctx-lsp-badge' });
  if (!nodeId) return null;
  const { node } = await session.send('DOM.describeNode', { nodeId, depth: -1, pierce: true });
  const find = (n) =>
    n.attributes?.includes('line') ? n : [...(n.shadowRoots ?? []), ...(n.children ?? [])].map(find).find(Boolean);
  return find(node) ?? null;
}

const sessions = new WeakMap();
async function debug(page) {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
  return sessions.get(page);
}

/** Returns the text of the badge; null if there is none. */
export async function badge(page) {
  const found = await button(await debug(page)).catch(() => null);
  const words = found?.children?.find((c) => c.attributes?.includes('aloud words'));
  return words ? (words.children ?? []).map((c) => c.nodeValue).join('') : null;
}

/** The sentences in the badge's details, which a click opens and another closes; by the debugger too. */
export async function notes(page) {
  const at = await place(page);
  const click = () => page.mouse.click((at.left + at.right) / 2, (at.top + at.bottom) / 2);
  await click();
  const said = await sentences(page);
  await click();
  return said;
}

async function sentences(page) {
  const session = await debug(page);
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'ctx-lsp-badge' });
  const { node } = await session.send('DOM.describeNode', { nodeId, depth: -1, pierce: true });
  const out = [];
  const words = (n) => (n.nodeValue ?? '') + (n.children ?? []).map(words).join('');
  const walk = (n) => {
    if (n.localName === 'p') out.push(words(n));
    for (const c of [...(n.shadowRoots ?? []), ...(n.children ?? [])]) walk(c);
  };
  walk(node);
  return out;
}

/** Returns the texts of the elements that match a selector in the badge's root, or in another root. */
export async function inBadge(page, selector, host = 'ctx-lsp-badge') {
  for (let left = 5; ; left--) {
    try {
      return await textsIn(page, selector, host);
    } catch (fault) {
      // A found element may be redrawn before it is read.
      if (left === 0 || !/No node with given id/.test(fault.message)) throw fault;
    }
  }
}

async function textsIn(page, selector, host) {
  const session = await debug(page);
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const find = (n) => (n.localName === host ? n : (n.children ?? []).map(find).find(Boolean));
  const shadow = find(root)?.shadowRoots?.[0];
  if (!shadow) return [];
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: shadow.nodeId, selector });
  return Promise.all(
    nodeIds.map(async (nodeId) => {
      const { object } = await session.send('DOM.resolveNode', { nodeId });
      const functionDeclaration = 'function () { return this.textContent }';
      return (await session.send('Runtime.callFunctionOn', { objectId: object.objectId, functionDeclaration })).result
        .value;
    }),
  );
}

/** Goes on by the keyboard to the control in the badge's details that has these words, and presses it. */
export async function pressed(page, words) {
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab');
    if ((await inBadge(page, ':focus')).some((w) => w.includes(words))) return page.keyboard.press('Enter');
  }
  throw new Error(`nothing says ${words}; ${await inBadge(page, 'button')}`);
}

/** How assistive technology sees the badge. */
export async function spoken(page) {
  const session = await debug(page);
  const { backendNodeId } = await button(session);
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false });
  const [{ role, name, properties }] = nodes;
  return { role: role.value, name: name.value, ...Object.fromEntries(properties.map((p) => [p.name, p.value.value])) };
}

/** Where the badge is. */
export async function place(page) {
  const session = await debug(page);
  const { backendNodeId } = await button(session);
  const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
  const [left, top, , , right, bottom] = model.border;
  return { left, top, right, bottom };
}

const wait = (ms) => new Promise((r) => setTimeout(r, ms));

/** Asks again until the answer is the wanted one, and returns it. */
export async function eventually(ask, wanted, what, timeout = 15000) {
  const end = Date.now() + timeout;
  for (;;) {
    const last = await ask();
    if (wanted(last)) return last;
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(last)}`);
    await wait(60);
  }
}

/** Waits until the badge has the expected text. */
export const until = (page, wanted, what, timeout) =>
  eventually(() => badge(page), wanted, `${what}: the badge says`, timeout);

/** Where the badge is, once it has rested for longer than it takes to look for a place. */
export async function resting(page) {
  let last = '';
  let since = 0;
  return eventually(
    () => place(page),
    (at) => {
      const now = JSON.stringify(at);
      if (now !== last) [last, since] = [now, Date.now()];
      return Date.now() - since > 300;
    },
    'the badge does not rest',
  );
}

/** What is imported for Claude where its answers are to carry usage: no site does that anybody has seen. */
async function reporting() {
  const { site: claude } = await load('sites/claude.ts');
  const answers = claude.answers.map((a) =>
    a.carries.includes('refusal') ? { ...a, carries: [...a.carries, 'usage'] } : a,
  );
  return { ...bare, claude: { unseen: null, answers } };
}

/**
 * Chromium with the extension's test build. `browse` is a test with pages that are closed whatever comes out of it.
 * `leaves` is a test that nothing but the pages' own requests was made.
 */
export async function browsing({ test, site, dist }) {
  const context = await launch(dist('test-chromium'), site);
  const requests = [];
  const service = await worker(context);
  const own = /^[^/]+\/\/[^/]+/.exec(service.url())[0];
  // The question of the plan is answered: what follows is about the model's own window.
  const answered = { chatgpt: 'model', claude: 'model', gemini: 'model' };
  await service.evaluate(({ plans, sites }) => chrome.storage.local.set({ settings: { plans }, sites }), {
    plans: answered,
    sites: bare,
  });
  const browse = (name, body) =>
    test(`Chromium: ${name}`, async () => {
      const pages = [];
      const open = async (address) => {
        const page = await context.newPage();
        pages.push(page);
        page.on('request', (r) => requests.push(r.url()));
        await page.goto(address);
        return page;
      };
      try {
        await body(open);
      } finally {
        for (const page of pages) await page.close().catch(() => {});
      }
    });
  const setPlans = (plans) =>
    service.evaluate((plans) => chrome.storage.local.set({ settings: { plans } }), { ...answered, ...plans });
  const setSites = (sites) => service.evaluate((sites) => chrome.storage.local.set({ sites }), sites);
  const leaves = (name) =>
    test(`Chromium: ${name}`, () => {
      const expected =
        /^(https:\/\/(chatgpt\.com|claude\.ai|gemini\.google\.com|chat\.(?:example\.org|deepseek\.com|qwen\.ai|mistral\.ai)|grok\.com|aistudio\.google\.com|www\.kimi\.com)\/(a|c|chat|app|api|backend-api|prompts|_|favicon|\?temporary-chat)|https?:\/\/192\.168\.7\.5(?::\d+)?\/(c|api|v1|props|talk|favicon|\?load|$)|chrome-extension:|blob:chrome-extension:|data:)/;
      const made = [...requests, ...site.seen.map((s) => `https://${s}`)];
      holds(made.length > 0, 'no request was seen');
      same(
        made.filter((u) => !expected.test(u)),
        [],
        'requests',
      );
    });
  return { context, own, answered, browse, setPlans, setSites, reporting: await reporting(), leaves };
}
