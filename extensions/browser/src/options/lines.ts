// Copyright The ctx-lsp authors. MIT licence.

/** The lines of a field that say something. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean);
}

/** Reads `claude 200000` or `chatgpt/gpt-5.5 128k`; null for what is neither. */
export function parseWindow(line: string): [string, number] | null {
  const m = /^(\S+)\s+(\d{1,9})(k?)$/.exec(line);
  const tokens = m ? Number(m[2] + (m[3] ? '000' : '')) : 0;
  return m && tokens > 0 && tokens <= 1_000_000_000 ? [m[1]!, tokens] : null;
}
