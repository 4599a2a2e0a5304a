// Copyright The ctx-lsp authors. MIT licence.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { JSDOM } from 'jsdom';
import { holds, same } from './expect.mjs';
import { hosted, others, rowsOf } from './others.mjs';
import { load } from './source.mjs';

const here = import.meta.dirname;
const fixtures = join(here, 'sites');

/** A page in jsdom, with its address. `work` gets its document. */
function onPage(html, address, work) {
  const { window } = new JSDOM(html, { url: address });
  try {
    return work(window.document);
  } finally {
    window.close();
  }
}

/** The page of a report's outline: each line is an element, and one without others in it has a text of its own. */
export function pageFrom(report) {
  const lines = report.slice(report.indexOf('\noutline:\n') + 10).split('\n');
  const open = [];
  let html = '';
  let texts = 0;
  for (const [i, line] of lines.entries()) {
    const [, indent, tag, attributes] = /^((?: {2})+)([\w-]+)(.*)$/.exec(line) ?? [];
    if (!tag) break;
    const depth = indent.length / 2;
    while (open.length >= depth) html += `</${open.pop()}>`;
    const all = [...attributes.matchAll(/\[([\w:.-]+)(?:=("(?:[^"\\]|\\.)*"))?\]/g)];
    html += `<${tag}${all.map(([, name, value]) => ` ${name}=${value ?? '""'}`).join('')}>`;
    open.push(tag);
    const next = /^ */.exec(lines[i + 1] ?? '')[0].length / 2;
    if (next <= depth) html += `Text number ${++texts} of the page.`;
  }
  return `<!doctype html><html><body>${html}</body></html>`;
}

/** A file for each site, and everything that is a site's in it. */
export async function siteFiles({ test }) {
  const { known, presets } = await load('adapter/index.ts');
  const { siteOf } = await load('adapter/adapter.ts');
  const { report } = await load('content/report.ts');
  const { overridden } = await load('adapter/override.ts');
  const { shapes } = await load('traffic/index.ts');
  const all = [...known, ...presets];

  const read = (data, html) =>
    onPage(html, 'https://example.org/', (document) => {
      const site = siteOf(data);
      return site
        .places(document)
        .map(site.turn)
        .flatMap((t) => t.messages)
        .map((m) => [site.kind(m), site.text(m).trim() !== '']);
    });
  const both = [
    ['user', true],
    ['assistant', true],
  ];

  await test('sites: each is one file, named like it, and no other source names a site', () => {
    const folder = join(here, '../src');
    const files = readdirSync(join(folder, 'sites')).map((f) => f.replace(/\.ts$/, ''));
    same(files.sort(), all.map((s) => s.id).sort(), 'files');
    const named = [];
    const words = all.flatMap((s) => [s.id, s.name, ...s.hosts]).map((w) => w.replace(/[.]/g, '\\.'));
    // ctok's pieces are Claude's, whichever site shows it.
    const allowed = /^(?:sites|traffic\/shapes)\/|^options\/(?:marked|packs)\.ts$/;
    for (const entry of readdirSync(folder, { recursive: true })) {
      const path = String(entry).replaceAll('\\', '/');
      if (!path.endsWith('.ts') || allowed.test(path)) continue;
      const code = readFileSync(join(folder, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
      const strings = [...code.matchAll(/'[^'\n]*'|`[^`]*`/g)].map(([s]) => s).filter((s) => !s.includes('/'));
      for (const s of strings) if (new RegExp(`\\b(?:${words.join('|')})\\b`, 'i').test(s)) named.push(`${path}: ${s}`);
    }
    same(named, [], 'strings that name a site');
    for (const s of all) for (const a of s.answers) holds(shapes.includes(a.reads), `${s.id} reads ${a.reads}`);
  });

  await test('sites: a report of a page is a page again, and is read alike', () => {
    const read13 = [];
    for (const [id, address] of Object.entries({ ...others, ...hosted })) {
      const data = all.find((s) => s.id === id);
      const { host, port } = new URL(address);
      const made = onPage('<!doctype html><html><body><main></main></body></html>', address, (document) => {
        const rows = rowsOf(port || host, document);
        const main = document.querySelector('main');
        for (const [i, side] of ['user', 'assistant', 'user', 'assistant'].entries())
          main.append(rows(side, `Secret words ${i}`, i, false));
        const counted = { site: data, version: '0', reading: null, coverage: null, planned: {}, model: null };
        return report(document, { ...counted, mode: null, items: [], responses: [] });
      });
      same(/Secret|Copy|beef/.exec(made), null, `${id}: text or an id in the report`);
      same(read(data, pageFrom(made)), both, `${id}: ${made}`);
      read13.push(id);
      if (process.env.FIXTURES && known.includes(data)) writeFileSync(join(fixtures, `${id}.txt`), made);
    }
    holds(read13.length >= 10, read13.join());
  });

  await test('sites: the fixtures, which are copied reports, are read by the sites that they name', () => {
    const names = readdirSync(fixtures);
    for (const id of ['aistudio', 'deepseek', 'grok', 'kimi', 'mistral', 'qwen'])
      holds(names.includes(`${id}.txt`), `no fixture of ${id}`);
    for (const name of names) {
      const text = readFileSync(join(fixtures, name), 'utf8');
      const data = all.find((s) => s.id === name.slice(0, -4));
      holds(text.split(',')[1]?.trim() === data?.id, `${name} is a report of another site`);
      const pattern = /^address: (.*)$/m.exec(text)?.[1];
      holds([...data.conversation, ...data.fresh].includes(pattern), `${name}: the address fits ${pattern}`);
      same(read(data, pageFrom(text)), both, name);
      // The file decides: without its entries the same page yields nothing.
      for (const without of [{ message: ['.none'] }, { user: [] }])
        holds(
          JSON.stringify(read({ ...data, ...without }, pageFrom(text))) !== JSON.stringify(both),
          `${name}, without`,
        );
    }
  });

  await test('sites: the template of the guide is a site', async () => {
    const guide = readFileSync(join(here, '../../../docs/sites.md'), 'utf8');
    const template = /```ts\n([\s\S]*?)```/.exec(guide)[1];
    const { blank } = await load('adapter/blank.ts');
    const { code } = await transform(template.replace(/^import .*$/gm, ''), { loader: 'ts', format: 'cjs' });
    const module = { exports: {} };
    new Function('module', 'exports', 'blank', code)(module, module.exports, blank);
    const { id, name, provider, hosts, ...entries } = module.exports.site;
    const { refused, taken } = overridden({ ...blank, id, name, hosts }, { [id]: entries });
    same([refused, taken.length > 20, provider !== ''], [[], true, true], 'entries');
    const example = /```html\n([\s\S]*?)```/.exec(guide)[1];
    same(read(module.exports.site, example), both, 'the example of the guide');
  });
}
