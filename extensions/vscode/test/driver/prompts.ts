// Copyright The ctx-lsp authors. MIT licence.

import { until, type Workbench } from './workbench';

/** Returns the decorations of the focused prompt file: its lens, and the hint after each heading. */
export async function drawn(editor: Workbench): Promise<{ lens: string; hints: Record<string, string> }> {
  const lens = (await editor.page.locator('.editor-instance .codelens-decoration').first().innerText()).trim();
  const lines = await editor.page.locator('.editor-instance .view-line').allInnerTexts();
  const hints: Record<string, string> = {};
  for (const line of lines.map((l) => l.replace(/[\s\u200b-\u200f\u2060]+/g, ' ').trim())) {
    const heading = /^#+ (\S+?) ?(~?[\d.]+k?)$/.exec(line);
    if (heading) {
      hints[heading[1] as string] = heading[2] as string;
    }
  }
  return { lens, hints };
}

/** Waits until every heading has its hint, and returns the decorations. */
export async function settled(editor: Workbench, headings: number): ReturnType<typeof drawn> {
  let last: Awaited<ReturnType<typeof drawn>> | undefined;
  await until(
    async () => {
      if ((await editor.page.locator('.editor-instance .codelens-decoration').count()) === 0) {
        return false;
      }
      const now = await drawn(editor);
      const same = JSON.stringify(now) === JSON.stringify(last) && Object.keys(now.hints).length === headings;
      last = now;
      return same;
    },
    45_000,
    `the lens and ${headings} hints`,
    300,
  );
  return last as Awaited<ReturnType<typeof drawn>>;
}
