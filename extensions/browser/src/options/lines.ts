// Copyright The ctx-lsp authors. MIT licence.

/** The lines of a field that say something. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean);
}
