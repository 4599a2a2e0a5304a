// Copyright The ctx-lsp authors. MIT licence.

/** What has a number: a session that is read, a sub-agent of it, or the end of a transcript. */
interface Full {
  readonly percent: number | null;
  readonly display: { readonly mark: string; readonly used: string; readonly percent: string };
}

/** How full a window is, in a few characters: the percent, or the tokens where no window is known. */
export function fullness({ percent, display: d }: Full, mark = d.mark): string {
  return `${mark}${percent === null ? d.used : d.percent}`;
}
