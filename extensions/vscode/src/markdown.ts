// Copyright The ctx-lsp authors. MIT licence.

/** Escapes any text for Markdown: a name in a transcript must not become a link, an icon or a table. */
export function escaped(text: string): string {
  return [...text.replace(/[\r\n\t]+/g, ' ')]
    .slice(0, 400) // before escaping, so that no single backslash is left at the end
    .join('')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$&:@=]/g, '\\$&');
}

/** Returns a table row. */
export function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}
