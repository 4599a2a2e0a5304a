// Copyright The ctx-lsp authors. MIT licence.

const begin = '<!-- sites: node build.mjs --privacy -->\n';
const end = '<!-- /sites -->\n';

/** Returns PRIVACY.md with its table of the sites: the hosts, and what is read there. */
export function privacyWith(text, sites) {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error('PRIVACY.md has no place for the sites');
  const rows = sites.map(
    ({ name, hosts, answers }) =>
      `| ${name} | ${hosts.join(', ')} | ${answers.length > 0 ? "the page, and its server's responses" : 'the page'} |\n`,
  );
  const head = '| Site | Hosts | What is read |\n|---|---|---|\n';
  return `${before}${begin}\n${head}${rows.join('')}\n${end}${after}`;
}
