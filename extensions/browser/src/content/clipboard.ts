// Copyright The ctx-lsp authors. MIT licence.

/**
 * Copies a text to the clipboard, during a click, and reports whether that worked. Pages without TLS have no clipboard
 * API.
 */
export async function copied(text: string, inside: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The page's policy may forbid it. The older API needs no permission.
  }
  const field = document.createElement('textarea');
  field.className = 'aloud';
  field.value = text;
  inside.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
