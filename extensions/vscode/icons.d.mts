// Copyright The ctx-lsp authors. MIT licence.

/** A step of an outline: where it ends, if it does not close it. */
interface Step {
  readonly type: string;
  readonly x?: number;
  readonly y?: number;
}

/** Every icon of the font, with its code and its outline. */
export const icons: readonly { readonly name: string; readonly code: number; readonly outline: readonly Step[] }[];
/** The font as WOFF. */
export function font(): Buffer<ArrayBuffer>;
