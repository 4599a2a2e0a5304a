// Copyright The ctx-lsp authors. MIT licence.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { Parser } from 'htmlparser2';
import { files, pageOf } from './contents.mjs';

const repository = 'https://github.com/ctx-lsp/ctx-lsp';
const isAbsolute = (address) => /^[a-z][a-z0-9+.-]*:/i.test(address);

/**
 * Resolves a link of a document to its address on the site. A document of the site becomes its page, a picture is
 * copied, and every other file of the repository links to the repository. A file that does not exist is an error.
 * @returns the address, and the picture that has to be copied, if it is one
 */
export function resolve(root, file, address, isPicture) {
  if (isAbsolute(address) || address.startsWith('#')) {
    return { address };
  }
  const [path, fragment] = address.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const mark = fragment === undefined ? '' : `#${fragment}`;
  if (target.startsWith('../../')) {
    return { address: `${repository}/${target.slice(6)}${mark}` }; // one of GitHub's own pages, relative to a file
  }
  if (!existsSync(join(root, target)) || target.startsWith('..')) {
    throw new Error(`${file} links to ${address}, which is not in the repository.`);
  }
  if (isPicture) {
    return { address: posix.relative(posix.dirname(pageOf(file)), target), picture: target };
  }
  if (files.includes(target)) {
    return { address: posix.relative(posix.dirname(pageOf(file)), pageOf(target)) + mark };
  }
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return { address: `${repository}/${kind}/main/${target.replace(/\/$/, '')}${mark}` };
}

/** Returns all links, pictures, scripts and anchors of a page. */
function read(html) {
  const page = { links: [], ids: new Set(), inline: [] };
  const parser = new Parser({
    onopentag(name, attributes) {
      for (const of of ['href', 'src', 'srcset']) {
        if (attributes[of] !== undefined) {
          page.links.push(attributes[of]);
        }
      }
      if (attributes.id) {
        page.ids.add(attributes.id);
      }
      if (attributes.style !== undefined || name === 'style' || (name === 'script' && !attributes.src)) {
        page.inline.push(`<${name}>`);
      }
      for (const handler of Object.keys(attributes).filter((a) => a.startsWith('on'))) {
        page.inline.push(`${handler} of <${name}>`);
      }
    },
  });
  parser.end(html);
  return page;
}

/**
 * Follows all internal links of the site, including their anchors, and looks for anything that the pages' own policy
 * would refuse. It does not use the network.
 * @returns the problems, a sentence each, and how many links were followed
 */
export function check(out) {
  const pages = new Map();
  for (const name of readdirSync(out, { recursive: true })) {
    if (name.endsWith('.html')) {
      pages.set(name, read(readFileSync(join(out, name), 'utf8')));
    }
  }
  const wrong = [];
  let followed = 0;
  for (const [name, page] of pages) {
    for (const inline of page.inline) {
      wrong.push(`${name} has an inline script or style, which its policy forbids: ${inline}.`);
    }
    for (const link of page.links.filter((l) => !isAbsolute(l))) {
      followed++;
      const [path, fragment] = link.split('#');
      const target = path === '' ? name : relative(out, join(out, dirname(name), path));
      if (link.startsWith('/')) {
        wrong.push(`${name} links to ${link}, which is another place wherever the site does not lie at the root.`);
      } else if (
        target.startsWith('..') ||
        !existsSync(join(out, target)) ||
        statSync(join(out, target)).isDirectory()
      ) {
        wrong.push(`${name} links to ${link}, where nothing is.`);
      } else if (fragment && !pages.get(target)?.ids.has(decodeURIComponent(fragment))) {
        wrong.push(`${name} links to ${link}, but ${target} has no such heading.`);
      }
    }
  }
  return { wrong, followed, pages: pages.size };
}
