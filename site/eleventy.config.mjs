// Copyright The ctx-lsp authors. MIT licence.

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import markdownIt from 'markdown-it';
import anchors from 'markdown-it-anchor';
import { files, pageOf, sections, titleOf } from './contents.mjs';
import { check, resolve } from './links.mjs';

const here = import.meta.dirname;
const root = join(here, '..');
const out = join(root, 'bin/site');
const read = (file) => readFileSync(join(root, file), 'utf8');

/** The policy of the pages: they may use their own scripts and files, but nothing from elsewhere. */
export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * The modules of the page that reads a transcript: its own, and the core with the vocabularies from the npm package.
 */
const core = ['ctx.js', 'source.js', 'tokens.js', 'wasi.js', 'ctx.wasm'];
const packs = ['o200k', 'cl100k', 'p50k', 'r50k'];

/** The names of agents, from the list that is generated for the editors. */
const agents = Object.fromEntries(
  [...read('extensions/vscode/src/agents.gen.ts').matchAll(/\{ id: '([^']+)', name: '([^']+)'/g)].map((m) => [
    m[1],
    m[2],
  ]),
);

/** A sentence for each agent: what its reader was compared with. */
const proofs = (() => {
  const sentences = Object.fromEntries(
    [...read('extensions/vscode/src/phrases.gen.ts').matchAll(/^ {2}proof(\w+): .*l10n\.t\('([^']+)'/gm)].map((m) => [
      m[1].toLowerCase().replace('texts', 'estimated'),
      m[2],
    ]),
  );
  const list = read('extensions/vscode/src/agents.gen.ts').matchAll(/\{ id: '([^']+)'.*proof: \['(\w+)', '([^']+)'\]/g);
  return Object.fromEntries([...list].map((m) => [m[1], sentences[m[2]].replace('{0}', m[3])]));
})();

/** The sources of a window's size, in the words that all front ends show. */
const limits = Object.fromEntries(
  [...read('extensions/vscode/src/words.gen.ts').matchAll(/^ {2}(\w+): \(\) => vscode\.l10n\.t\('([^']+)'\)/gm)].map(
    (m) => [m[1], m[2]],
  ),
);

export default function (site) {
  const missing = readdirSync(join(root, 'docs')).filter(
    (f) => f.endsWith('.md') && f !== 'README.md' && !files.includes(`docs/${f}`),
  );
  if (missing.length > 0) {
    throw new Error(`contents.mjs does not name ${missing.join(', ')} of docs/.`);
  }
  const pictures = new Set();
  const slugger = new GithubSlugger();
  const markdown = markdownIt({ html: true }).use(anchors, {
    slugify: (text) => slugger.slug(text),
    permalink: anchors.permalink.linkInsideHeader({
      symbol: '#',
      placement: 'after',
      renderAttrs: (slug) => ({ 'aria-label': `Link to ${slug}` }),
    }),
  });
  const plain = markdown.render.bind(markdown);
  markdown.render = (text, data) => {
    slugger.reset();
    return plain(text, data);
  };
  markdown.core.ruler.push('addresses', (state) => {
    const visit = (token) => {
      const of = { link_open: 'href', image: 'src' }[token.type];
      // The anchor of a heading must not be resolved.
      if (of && !token.attrGet('class')?.includes('header-anchor')) {
        const { address, picture } = resolve(root, state.env.source, token.attrGet(of), token.type === 'image');
        token.attrSet(of, address);
        if (picture) pictures.add(picture);
        // On a phone, the letters of a wide picture would be five pixels high, so a narrow one of the same name
        // replaces it.
        const narrow = picture?.replace(/\.svg$/, '-40.svg');
        if (narrow && narrow !== picture && existsSync(join(root, narrow))) {
          pictures.add(narrow);
          token.meta = { narrow: address.replace(/\.svg$/, '-40.svg') };
        }
      }
      if (token.type === 'table_open') token.attrSet('tabindex', '0'); // a wide table can be scrolled with the keyboard
      const align = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '');
      if (align) {
        token.attrs = token.attrs.filter(([name]) => name !== 'style');
        token.attrJoin('class', `align-${align[1]}`);
      }
      for (const child of token.children ?? []) visit(child);
    };
    for (const token of state.tokens) visit(token);
  });
  const { image } = markdown.renderer.rules;
  markdown.renderer.rules.image = (tokens, i, ...rest) => {
    const shown = image(tokens, i, ...rest);
    const { narrow } = tokens[i].meta ?? {};
    return narrow ? `<picture><source media="(max-width: 640px)" srcset="${narrow}">${shown}</picture>` : shown;
  };
  markdown.renderer.rules.fence = (tokens, i) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[i].content)}</code></pre>\n`;
  markdown.renderer.rules.code_block = markdown.renderer.rules.fence;
  site.setLibrary('md', markdown);
  site.amendLibrary('md', (library) => library.enable('code')); // indented lines are code, which Eleventy switches off
  // A column without a heading has nothing for a screen reader to read.
  site.addTransform('empty headings', (html) => html.replaceAll(/<th( [^>]*)?><\/th>/g, '<td$1></td>'));

  const menu = sections.map((section) => ({
    title: section.title,
    pages: section.files.map((file) => ({ title: titleOf(file, read(file)), page: pageOf(file) })),
  }));
  site.addGlobalData('menu', menu);
  site.addGlobalData('policy', policy);
  site.addFilter('from', (target, page) => posix.relative(posix.dirname(page), target) || posix.basename(target));
  site.addFilter('headings', (html) =>
    [...html.matchAll(/<h2 id="([^"]+)"[^>]*>(.*?)<\/h2>/gs)].map(([, id, text]) => ({
      id,
      text: text
        .replace(/<a class="header-anchor".*?<\/a>/s, '')
        .replaceAll(/<[^>]+>/g, '')
        .trim(),
    })),
  );
  for (const file of files) {
    site.addTemplate(file, read(file), {
      layout: 'page.njk',
      permalink: pageOf(file),
      source: file,
      file: pageOf(file),
      title: titleOf(file, read(file)),
    });
  }

  site.on('eleventy.after', () => {
    for (const picture of pictures) cpSync(join(root, picture), join(out, picture));
    cpSync(join(here, 'style.css'), join(out, 'style.css'));
    cpSync(join(here, 'try'), join(out, 'try'), { recursive: true });
    for (const name of core) cpSync(join(root, 'wasm/js', name), join(out, 'try/core', name));
    for (const name of packs)
      cpSync(join(root, 'internal/assets', `${name}.ctxv`), join(out, 'try/core', `${name}.ctxv`));
    writeFileSync(
      join(out, 'try/agents.js'),
      `export const agents = ${JSON.stringify(agents)};\nexport const proofs = ${JSON.stringify(proofs)};\n`,
    );
    writeFileSync(join(out, 'try/limits.js'), `export const limits = ${JSON.stringify(limits)};\n`);
    // Hosts that support custom headers read them here; the pages contain the same policy.
    writeFileSync(
      join(out, '_headers'),
      `/*\n  Content-Security-Policy: ${policy}; frame-ancestors 'none'\n  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n`,
    );
    const { wrong, followed, pages } = check(out);
    for (const sentence of wrong) console.error(sentence);
    console.log(`${pages} pages, ${followed} links on the site followed, ${wrong.length} broken`);
    if (wrong.length > 0) throw new Error('The site has broken links.');
  });
  return {
    dir: { input: 'pages', output: '../bin/site' },
    markdownTemplateEngine: false,
    htmlTemplateEngine: 'njk',
  };
}
