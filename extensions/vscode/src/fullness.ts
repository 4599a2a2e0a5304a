// Copyright The ctx-lsp authors. MIT licence.

/** Anything with a number: a session that is followed, a sub-agent of it, or the end of a transcript. */
interface Full {
  readonly percent: number | null;
  readonly display: { readonly mark: string; readonly used: string; readonly percent: string };
}

/** Returns how full a window is, in a few characters: the percentage, or the tokens if the window is unknown. */
export function fullness({ percent, display: d }: Full, mark = d.mark): string {
  return `${mark}${percent === null ? d.used : d.percent}`;
}
