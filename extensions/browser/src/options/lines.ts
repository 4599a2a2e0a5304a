// Copyright The ctx-lsp authors. MIT licence.

/** Returns the trimmed lines of a field that are not empty. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean);
}
