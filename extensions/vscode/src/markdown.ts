// Copyright The ctx-lsp authors. MIT licence.

/** Makes any text safe inside Markdown: a name in a transcript must not become a link, an icon or a table. */
export function escaped(text: string): string {
  return [...text.replace(/[\r\n\t]+/g, ' ')]
    .slice(0, 400) // before escaping, so that no backslash stays alone at the end
    .join('')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$&:@=]/g, '\\$&');
}

/** A table row. */
export function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}
