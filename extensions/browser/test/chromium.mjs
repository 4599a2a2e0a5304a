// Copyright The ctx-lsp authors. MIT licence.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { others } from './others.mjs';

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

/** What the badge says; null where there is none. */
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

/** The texts of what a selector finds in the badge's root, or in another of the extension's. */
export async function inBadge(page, selector, host = 'ctx-lsp-badge') {
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

/** Waits until the badge says what it should. */
export async function until(page, wanted, what, timeout = 15000) {
  const end = Date.now() + timeout;
  let last = null;
  while (Date.now() < end) {
    last = await badge(page);
    if (wanted(last)) return last;
    await page.waitForTimeout(60);
  }
  throw new Error(`${what}: the badge says ${JSON.stringify(last)}`);
}
