// Copyright The ctx-lsp authors. MIT licence.

/** Puts a text on the clipboard, during a click. Pages without TLS have no clipboard of their own. */
export async function copied(text: string, inside: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The page's policy may forbid it. The older way needs no permission.
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
